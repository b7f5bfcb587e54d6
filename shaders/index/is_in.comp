#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 i32 i64 i64f c64 c128
// z[n] = (x[n] == scalar) != kInvert. With kAny, z[0] starts with the result for no match, and each thread that finds a match changes it;
// the change is idempotent, so concurrent threads do not conflict.

#include "index/is_in.args.h"
#define OPERANDS 2
#define OWN_ARGUMENTS IS_IN_ARGUMENTS
#include "common/strided.glsl"

ACLVK_CONSTANTS(IS_IN_CONSTANTS)

T argument_scalar() {
  return value_of(
      uvec4(ACLVK_ARGUMENT(scalar[0]), ACLVK_ARGUMENT(scalar[1]), ACLVK_ARGUMENT(scalar[2]), ACLVK_ARGUMENT(scalar[3])));
}

void change_first() {
  const uvec2 slot = lanes.slots[1];
  const uint shift = (base_of(slot) & 3u) * 8u;
  if (kInvert != 0u) atomicAnd(ACLVK_VIEW1(1).data[base_of(slot) >> 2], ~(0xFFu << shift));
  else atomicOr(ACLVK_VIEW1(1).data[base_of(slot) >> 2], 1u << shift);
}

void main() {
  const T scalar = argument_scalar();
  if (!find_lanes()) return;
  T x[LANES];
  LOAD(0, x);
  bool any = false;
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    const bool equal = x[i] == scalar;
    any = any || equal;
    raw[i] = uvec4(uint(equal) ^ kInvert, 0u, 0u, 0u);
  }
  if (!kAny) STORE_BITS(1);
  else if (any) change_first();
}
