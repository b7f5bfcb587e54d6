// By what a matrix is divided before it is decomposed into singular values.

bool is_finite(R x) { return !isnan(x) && !isinf(x); }

// The power of two below a number, 1 for what is too small to have one.
R power_below(R x) {
#if WIDE_FLOATS
  const uint high = unpackDouble2x32(x).y & 0x7FF00000u;
  return high == 0u ? R(1) : packDouble2x32(uvec2(0u, high));
#else
  const uint bits = floatBitsToUint(x) & 0x7F800000u;
  return bits == 0u ? R(1) : uintBitsToFloat(bits);
#endif
}
