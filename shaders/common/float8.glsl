// The bit patterns of 8-bit floats: FLOAT8_E4M3FN, which has no infinities, and FLOAT8_E5M2, the upper half of a half. Only integer
// arithmetic, as in dtype.glsl.

bool is_float8(uint dtype) { return dtype == kFloat8E4M3 || dtype == kFloat8E5M2; }

float float8_to_float(uint bits, uint dtype) {
  const uint magnitude = bits & 0x7Fu;
  const uint normal = (magnitude << 20) + 0x3C000000u;
  const uint tiny = floatBitsToUint(float(magnitude) * 0.001953125);
  const uint finite = magnitude < 8u ? tiny : normal;
  const float e4m3 = uintBitsToFloat((bits & 0x80u) << 24 | (magnitude == 0x7Fu ? 0x7FC00000u : finite));
  return dtype == kFloat8E5M2 ? half_to_float(bits << 8) : e4m3;
}

// To nearest even. What is too large becomes infinity, or NaN where there is no infinity, as torch has it.
uint float_to_float8(float value, uint dtype) {
  const bool e5m2 = dtype == kFloat8E5M2;
  const uint dropped = e5m2 ? 21u : 20u;
  const uint bias = e5m2 ? 112u : 120u;       // what a float's exponent has more
  const uint subnormal = e5m2 ? 134u : 141u;  // the exponent with which a float's digits count the smallest number
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
