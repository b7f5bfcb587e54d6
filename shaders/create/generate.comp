#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 i32 i64
// Arithmetic progressions: z[n] = start + n * step (kForward); with kBothEnds the second half counts back from the end, so that both ends are
// exact, as in PyTorch's linspace; with kPower a base to that power. n is the first operand's lane index.

#include "create/generate.args.h"
#define OPERANDS 2
#define INDEXED_OPERANDS 1
#define OWN_ARGUMENTS GENERATE_ARGUMENTS
#include "common/strided.glsl"

ACLVK_CONSTANTS(GENERATE_CONSTANTS)
const uint kForward = 0, kBothEnds = 1, kPower = 2;

#define WORDS(member) value_of(uvec4(ACLVK_ARGUMENT(member[0]), ACLVK_ARGUMENT(member[1]), 0u, 0u))

T line_at(uint n, T start, T end, T step, uint count) {
  const bool backward = kSequence != kForward && n >= count / 2u;
  const T steps = T(backward ? count - 1u - n : n);
  precise T from_start = start + steps * step;
  precise T from_end = end - steps * step;
  return backward ? from_end : from_start;
}

#if defined(VARIANT_f32)
// A power of the base that is given by the binary logarithm of its magnitude, and its sign. The logarithm of 0 is -infinity.
float power(float exponent, float logarithm, bool negative_base) {
  precise float product = exponent * logarithm;
  const float whole = floor(clamp(product, -200.0, 200.0));
  const float magnitude = exp2(product - whole) * exp2(whole * 0.5) * exp2(whole - whole * 0.5);
  const float bounded = product >= 128.0 ? uintBitsToFloat(0x7F800000u) : product < -160.0 ? 0.0 : magnitude;
  const bool odd = exponent - 2.0 * floor(exponent * 0.5) == 1.0;
  const float signed_value = floor(exponent) != exponent ? uintBitsToFloat(0x7FC00000u) : odd ? -bounded : bounded;
  return exponent == 0.0 ? 1.0 : negative_base ? signed_value : bounded;
}
#endif

void main() {
  const T start = WORDS(start);
  const T end = WORDS(end);
  const T step = WORDS(step);
  const uint count = ACLVK_ARGUMENT(count);
  const float logarithm = ACLVK_ARGUMENT(logarithm);
  const bool negative_base = ACLVK_ARGUMENT(negative_base) != 0u;
  if (!find_lanes()) return;
  T z[LANES];
  [[unroll]] for (uint i = 0; i < kLanes; ++i) z[i] = line_at(lane_element(0, i), start, end, step, count);
#if defined(VARIANT_f32)
  if (kSequence == kPower) {
    [[unroll]] for (uint i = 0; i < kLanes; ++i) z[i] = power(z[i], logarithm, negative_base);
  }
#endif
  STORE(1, z);
}
