// Dtypes (ops/dtype.def) and the bit patterns of 16-bit floats. Only integer arithmetic: results do not depend on how a driver
// rounds or flushes.

#define DTYPE(member, name, value, bytes, kind) const uint member = value;
#include "ops/dtype.def"
#undef DTYPE

bool is_complex(uint dtype) { return dtype == kComplex32 || dtype == kComplex64 || dtype == kComplex128; }
bool is_floating(uint dtype) {
  return dtype == kFloat || dtype == kFloat16 || dtype == kBfloat16 || dtype == kDouble;
}

float half_to_float(uint bits) {
  const uint magnitude = bits & 0x7FFFu;
  const uint special = 0x7F800000u | (magnitude & 0x3FFu) << 13;
  const uint tiny = floatBitsToUint(float(magnitude) * 5.9604644775390625e-8);
  const uint normal = (magnitude << 13) + 0x38000000u;
  return uintBitsToFloat((bits & 0x8000u) << 16 | (magnitude >= 0x7C00u ? special : magnitude < 0x400u ? tiny : normal));
}

// To nearest even; what rounds to 65520 or more becomes infinity. Below 2^-14 a half counts in steps of 2^-24, and so does a float
// between 1/2 and 1: adding 1/2 rounds.
uint float_to_half(float value) {
  const uint bits = floatBitsToUint(value);
  const uint magnitude = bits & 0x7FFFFFFFu;
  const uint rebased = magnitude - 0x38000000u;
  const uint normal = (rebased + 0xFFFu + (rebased >> 13 & 1u)) >> 13;
  precise const float shifted = uintBitsToFloat(magnitude) + 0.5;
  const uint tiny = floatBitsToUint(shifted) - 0x3F000000u;
  const uint special = magnitude > 0x7F800000u ? 0x7E00u : 0x7C00u;
  return (bits >> 16 & 0x8000u) | (magnitude >= 0x47800000u ? special : magnitude < 0x38800000u ? tiny : normal);
}

float bfloat16_to_float(uint bits) { return uintBitsToFloat(bits << 16); }

uint float_to_bfloat16(float value) {
  const uint bits = floatBitsToUint(value);
  const uint rounded = (bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16;
  return (bits & 0x7FFFFFFFu) > 0x7F800000u ? bits >> 16 & 0x8000u | 0x7FC0u : rounded;
}
