// The divisor of a matrix before its singular value decomposition.

bool is_finite(R x) { return !isnan(x) && !isinf(x); }

// The largest power of two that is not above x; 1 for zeros and subnormal numbers.
R power_below(R x) {
#if WIDE_FLOATS
  const uint high = unpackDouble2x32(x).y & 0x7FF00000u;
  return high == 0u ? R(1) : packDouble2x32(uvec2(0u, high));
#else
  const uint bits = floatBitsToUint(x) & 0x7F800000u;
  return bits == 0u ? R(1) : uintBitsToFloat(bits);
#endif
}
