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

// x divided by a power of two. A driver may flush subnormal operands of a division to 0 (Vulkan without
// shaderDenormPreserveFloat32), so those of floats are converted as integers, in units of 2^-149.
R divided(R x, R scale) {
#if !WIDE_FLOATS
  const uint bits = floatBitsToUint(x);
  const uint size = bits & 0x7FFFFFFFu;
  if (size < 0x800000u) {
    const float least = uintBitsToFloat(0x800000u);  // 2^-126
    const float quotient = scale > R(1) ? R(0) : float(size) * uintBitsToFloat(0x34000000u) * (least / scale);  // 2^-23
    return (bits & 0x80000000u) != 0u ? -quotient : quotient;
  }
#endif
  return x / scale;
}
