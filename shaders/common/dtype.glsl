// Dtypes (ops/tensor/dtype.def) and conversions of 16-bit floats. Conversions use integer arithmetic, so that results do not depend on a
// driver's rounding and denormal modes. kUnpacksHalves uses unpackHalf2x16 on drivers that are known to convert every half the same way.

layout(constant_id = 1000) const bool kUnpacksHalves = false;  // set by vk_device/pipelines/pipeline_store.cpp, see quirks.def

#define DTYPE(member, name, value, bytes, kind) const uint member = value;
#include "ops/tensor/dtype.def"
#undef DTYPE

bool is_complex(uint dtype) { return dtype == kComplex32 || dtype == kComplex64 || dtype == kComplex128; }
bool is_floating(uint dtype) {
  return dtype == kFloat || dtype == kFloat16 || dtype == kBfloat16 || dtype == kDouble;
}

// The mask changes no bit of a converted half. Without it LLVM narrows comparisons of the result to comparisons of halves, which it
// executes one by one on CPUs without half instructions (docs/adr/0023).
float unpacked_half(uint bits) { return uintBitsToFloat(floatBitsToUint(unpackHalf2x16(bits).x) & 0xFFFFE000u); }

// The exponents' biases are 127 and 15: 0x38000000 is their difference in the exponent of a float. 5.96e-8 is 2^-24, the smallest half.
float half_to_float(uint bits) {
  const uint magnitude = bits & 0x7FFFu;
  const uint special = 0x7F800000u | (magnitude & 0x3FFu) << 13;
  const uint tiny = floatBitsToUint(float(magnitude) * 5.9604644775390625e-8);
  const uint normal = (magnitude << 13) + 0x38000000u;
  const uint finite = magnitude >= 0x7C00u ? special : magnitude < 0x400u ? tiny : normal;
  return kUnpacksHalves ? unpacked_half(bits) : uintBitsToFloat((bits & 0x8000u) << 16 | finite);
}

// Rounds to nearest even; values from 65520 on become infinity. Subnormal halves (below 2^-14) are multiples of 2^-24, which is also
// the spacing of floats between 1/2 and 1: adding 1/2 rounds to it.
uint float_to_half(float value) {
  const uint bits = floatBitsToUint(value);
  const uint magnitude = bits & 0x7FFFFFFFu;
  // 2^16 becomes the code of infinity. The sum rounds to even and moves the exponent's bias; 0x38800000 is 2^-14, 0x3F000000 is 1/2.
  const uint bounded = min(magnitude, 0x47800000u);
  const uint normal = (bounded + (bounded >> 13 & 1u) + (0xFFFu - 0x38000000u)) >> 13;
  precise const float shifted = uintBitsToFloat(magnitude) + 0.5;
  const uint tiny = floatBitsToUint(shifted) - 0x3F000000u;
  const uint number = magnitude < 0x38800000u ? tiny : normal;
  return (bits >> 16 & 0x8000u) | (magnitude > 0x7F800000u ? 0x7E00u : number);
}

float bfloat16_to_float(uint bits) { return uintBitsToFloat(bits << 16); }

// Rounds to nearest even: adds half of the last place minus one, plus the last bit that stays.
uint float_to_bfloat16(float value) {
  const uint bits = floatBitsToUint(value);
  const uint rounded = (bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16;
  return (bits & 0x7FFFFFFFu) > 0x7F800000u ? bits >> 16 & 0x8000u | 0x7FC0u : rounded;
}
