#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// Logarithms and angles: the rows of ops/elementwise/logarithm.def.

#define INPUTS 2
#include "common/pointwise.glsl"
#include "common/arithmetic.glsl"
#include "common/math/order.glsl"
#include "common/math/logarithm.glsl"

T apply(T x, T y, T w, T a, T b, T c) {
  uint next_row = 0;
  T z = x;
#include "ops/elementwise/logarithm.def"
  return z;
}
