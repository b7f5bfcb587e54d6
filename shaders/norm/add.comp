#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// w = factor * x + y + z, the input of a normalisation; z may be a number among the arguments.

#include "norm/add.args.h"
#define OPERANDS 4
#define OWN_ARGUMENTS ADD_ARGUMENTS
#include "common/strided.glsl"

void main() {
  const float factor = ACLVK_ARGUMENT(factor);
  const float number = ACLVK_ARGUMENT(number);
  if (!find_lanes()) return;
  T x[LANES];
  T y[LANES];
  T z[LANES];
  LOAD(0, x);
  LOAD(1, y);
  if (mode_of(2) == kNotLoaded) {
    [[unroll]] for (uint i = 0; i < kLanes; ++i) z[i] = number;
  } else {
    LOAD(2, z);
  }
  [[unroll]] for (uint i = 0; i < kLanes; ++i) x[i] = (factor * x[i] + y[i]) + z[i];
  STORE(3, x);
}
