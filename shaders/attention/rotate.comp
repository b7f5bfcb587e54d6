#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// Rotary embedding, one element of each pair (x, y): z = x * cosine + y * sine, or x * cosine - y * sine.

#include "attention/rotate.args.h"
#define OPERANDS 5
#include "common/strided.glsl"

ACLVK_CONSTANTS(ROTATE_CONSTANTS)

void main() {
  if (!find_lanes()) return;
  T x[LANES];
  T cosine[LANES];
  T y[LANES];
  T sine[LANES];
  LOAD(0, x);
  LOAD(1, cosine);
  LOAD(2, y);
  LOAD(3, sine);
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    const T product = y[i] * sine[i];
    x[i] = x[i] * cosine[i] + (kMinus != 0 ? -product : product);
  }
  STORE(4, x);
}
