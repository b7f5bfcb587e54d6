#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// z = x, scaled down to max_norm when the norm of its slice, operand 1, is greater.

#include "reduction/renorm.args.h"
#define OPERANDS 3
#define OWN_ARGUMENTS RENORM_ARGUMENTS
#include "common/strided.glsl"

void main() {
  const float max_norm = ACLVK_ARGUMENT(max_norm);
  if (!find_lanes()) return;
  T x[LANES];
  T norm[LANES];
  LOAD(0, x);
  LOAD(1, norm);
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    if (norm[i] > max_norm) x[i] *= max_norm / (norm[i] + 1e-7);
  }
  STORE(2, x);
}
