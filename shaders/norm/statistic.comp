#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// Statistics of channels: the running average keep_factor * x + batch_factor * y; or, with kRoot, 1 / sqrt(y +
// epsilon).

#include "norm/statistic.args.h"
#define OPERANDS 3
#define OWN_ARGUMENTS STATISTIC_ARGUMENTS
#include "common/strided.glsl"

ACLVK_CONSTANTS(STATISTIC_CONSTANTS)

void main() {
  const float keep_factor = ACLVK_ARGUMENT(keep_factor);
  const float batch_factor = ACLVK_ARGUMENT(batch_factor);
  const float epsilon = ACLVK_ARGUMENT(epsilon);
  if (!find_lanes()) return;
  T x[LANES];
  T y[LANES];
  if (kRoot == 0) LOAD(0, x);
  LOAD(1, y);
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    y[i] = kRoot != 0 ? T(1) / sqrt(y[i] + epsilon) : keep_factor * x[i] + batch_factor * y[i];
  }
  STORE(2, y);
}
