// Conversions of 8-bit floats in integer arithmetic, as in dtype.glsl. FLOAT8_E4M3FN has no infinities; FLOAT8_E5M2 is the upper byte of a
// half. FLOAT8_E8M0 (an exponent alone) and HIFLOAT8 are only read.

bool is_float8(uint dtype) {
  return dtype == kFloat8E4M3 || dtype == kFloat8E5M2 || dtype == kFloat8E8M0 || dtype == kHifloat8;
}

// E8M0: the powers of two from 2^-127 to 2^127, and NaN.
float exponent_to_float(uint bits) {
  return uintBitsToFloat(bits == 0xFFu ? 0x7FC00000u : bits == 0u ? 0x00400000u : bits << 23);
}

// HiFloat8: a sign, a prefix code for the width of the exponent field (11: four bits, 10: three, 01: two, 001: one, 0001: none), the
// exponent field, and a mantissa. The leading 1 of the exponent's magnitude is implicit; its bit holds the exponent's sign. Smaller
// codes are subnormals: powers of two from 2^-22 to 2^-16. -0 is NaN; the largest exponent with a set mantissa is infinity.
float hifloat8_to_float(uint bits) {
  const uint number = bits & 0x7Fu;
  const uint width = number >= 0x60u ? 4u : number >= 0x40u ? 3u : number >= 0x20u ? 2u : number >= 0x10u ? 1u : 0u;
  const uint digits = number >= 0x60u ? 1u : number >= 0x40u ? 2u : 3u;
  const uint hidden = (1u << width) >> 1;
  const uint field = number >> digits & (1u << width) - 1u;
  const uint magnitude = field | hidden;
  const uint exponent = (field & hidden) != 0u ? 127u - magnitude : 127u + magnitude;
  const uint normal = exponent << 23 | (number & (1u << digits) - 1u) << 23u - digits;
  const uint tiny = number == 0u ? (bits == 0x80u ? 0x7FC00000u : 0u) : 104u + number << 23;
  const uint finite = number < 8u ? tiny : normal;
  return uintBitsToFloat((bits & 0x80u) << 24 | (number == 0x6Fu ? 0x7F800000u : finite));
}

// E4M3FN has an exponent bias of 7: 0x3C000000 is 127 - 7 in the exponent of a float, 0.001953125 is 2^-9, the smallest subnormal.
float float8_to_float(uint bits, uint dtype) {
  const uint magnitude = bits & 0x7Fu;
  const uint normal = (magnitude << 20) + 0x3C000000u;
  const uint tiny = floatBitsToUint(float(magnitude) * 0.001953125);
  const uint finite = magnitude < 8u ? tiny : normal;
  const float e4m3 = uintBitsToFloat((bits & 0x80u) << 24 | (magnitude == 0x7Fu ? 0x7FC00000u : finite));
  return dtype == kFloat8E5M2   ? half_to_float(bits << 8)
         : dtype == kFloat8E8M0 ? exponent_to_float(bits)
         : dtype == kHifloat8   ? hifloat8_to_float(bits)
                                : e4m3;
}

// Rounds to nearest even. Values that are too large become infinity, or NaN in formats without infinities, as in PyTorch.
uint float_to_float8(float value, uint dtype) {
  const bool e5m2 = dtype == kFloat8E5M2;
  const uint dropped = e5m2 ? 21u : 20u;
  const uint bias = e5m2 ? 112u : 120u;       // the difference of the exponent biases
  const uint subnormal = e5m2 ? 134u : 141u;  // the float exponent whose last mantissa bit is the smallest subnormal
  const uint highest = e5m2 ? 0x7Cu : 0x7Fu;
  const uint bits = floatBitsToUint(value);
  const uint magnitude = bits & 0x7FFFFFFFu;
  const uint exponent = magnitude >> 23;

  const uint rebased = magnitude - (bias << 23);
  const uint normal = min((rebased + (1u << dropped - 1u) - 1u + (rebased >> dropped & 1u)) >> dropped, highest);

  const uint shift = clamp(subnormal - min(exponent, subnormal - 1u), 1u, 25u);
  const uint mantissa = exponent == 0 ? 0u : (magnitude & 0x7FFFFFu) | 0x800000u;
  const uint whole = mantissa >> shift;
  const uint rest = mantissa & ((1u << shift) - 1u);
  const uint tie = 1u << (shift - 1u);
  const uint tiny = whole + uint(rest > tie || (rest == tie && (whole & 1u) == 1u));

  const uint finite = exponent > bias ? normal : tiny;
  return bits >> 24 & 0x80u | (magnitude > 0x7F800000u ? 0x7Fu : finite);
}
