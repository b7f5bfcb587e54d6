#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// Statistics of channels: a running one moves towards that of a batch, kept * x + share * y; or 1 / deviation from a variance y.

#define OPERANDS 3
#define FAMILY_WORDS 3
#define FAMILY_ARGUMENTS float kept; float share; float epsilon;
#include "common/strided.glsl"

layout(constant_id = FIRST_CONSTANT + 1) const uint kRoot = 0;

void main() {
  const float kept = ACLVK_ARGUMENT(kept);
  const float share = ACLVK_ARGUMENT(share);
  const float epsilon = ACLVK_ARGUMENT(epsilon);
  if (!find_lanes()) return;
  T x[LANES];
  T y[LANES];
  if (kRoot == 0) LOAD(0, x);
  LOAD(1, y);
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    y[i] = kRoot != 0 ? T(1) / sqrt(y[i] + epsilon) : kept * x[i] + share * y[i];
  }
  STORE(2, y);
}
