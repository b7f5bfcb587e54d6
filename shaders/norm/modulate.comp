#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// w = x * (1 + scale) + shift (adaptive layer normalisation).

#define OPERANDS 4
#include "common/strided.glsl"

void main() {
  if (!find_lanes()) return;
  T x[LANES];
  T scale[LANES];
  T shift[LANES];
  LOAD(0, x);
  LOAD(1, scale);
  LOAD(2, shift);
  [[unroll]] for (uint i = 0; i < kLanes; ++i) x[i] = x[i] * (T(1) + scale[i]) + shift[i];
  STORE(3, x);
}
