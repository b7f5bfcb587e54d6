// Dtypes (ops/dtype.def) and the bit patterns of 16-bit floats. Integer arithmetic, so that results do not depend on how a driver
// rounds or flushes; where it is known to convert every half as this does, kUnpacksHalves lets it.

layout(constant_id = 1000) const bool kUnpacksHalves = false;  // set by vk_device/pipeline_store.cpp, see quirks.def

#define DTYPE(member, name, value, bytes, kind) const uint member = value;
#include "ops/dtype.def"
#undef DTYPE

bool is_complex(uint dtype) { return dtype == kComplex32 || dtype == kComplex64 || dtype == kComplex128; }
bool is_floating(uint dtype) {
  return dtype == kFloat || dtype == kFloat16 || dtype == kBfloat16 || dtype == kDouble;
}

// The mask takes nothing away. Without it LLVM compares what was converted as the halves that it came from, one by one.
float unpacked_half(uint bits) { return uintBitsToFloat(floatBitsToUint(unpackHalf2x16(bits).x) & 0xFFFFE000u); }

float half_to_float(uint bits) {
  const uint magnitude = bits & 0x7FFFu;
  const uint special = 0x7F800000u | (magnitude & 0x3FFu) << 13;
  const uint tiny = floatBitsToUint(float(magnitude) * 5.9604644775390625e-8);
  const uint normal = (magnitude << 13) + 0x38000000u;
  const uint finite = magnitude >= 0x7C00u ? special : magnitude < 0x400u ? tiny : normal;
  return kUnpacksHalves ? unpacked_half(bits) : uintBitsToFloat((bits & 0x8000u) << 16 | finite);
}

// To nearest even; what is 65520 or more becomes infinity, as 65536 does by itself. Below 2^-14 a half counts in steps of 2^-24, and
// so does a float between 1/2 and 1: adding 1/2 rounds.
uint float_to_half(float value) {
  const uint bits = floatBitsToUint(value);
  const uint magnitude = bits & 0x7FFFFFFFu;
  const uint bounded = min(magnitude, 0x47800000u);
  const uint normal = (bounded + (bounded >> 13 & 1u) + (0xFFFu - 0x38000000u)) >> 13;
  precise const float shifted = uintBitsToFloat(magnitude) + 0.5;
  const uint tiny = floatBitsToUint(shifted) - 0x3F000000u;
  const uint number = magnitude < 0x38800000u ? tiny : normal;
  return (bits >> 16 & 0x8000u) | (magnitude > 0x7F800000u ? 0x7E00u : number);
}

float bfloat16_to_float(uint bits) { return uintBitsToFloat(bits << 16); }

uint float_to_bfloat16(float value) {
  const uint bits = floatBitsToUint(value);
  const uint rounded = (bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16;
  return (bits & 0x7FFFFFFFu) > 0x7F800000u ? bits >> 16 & 0x8000u | 0x7FC0u : rounded;
}
