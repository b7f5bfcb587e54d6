#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// The rows of ops/loss/loss.def.

#define INPUTS 2
#include "common/pointwise.glsl"
#include "common/arithmetic.glsl"
#include "common/math/loss.glsl"

T apply(T x, T y, T w, T a, T b, T c) {
  uint next_row = 0;
  T z = x;
#include "ops/loss/loss.def"
  return z;
}
