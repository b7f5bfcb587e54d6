#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// Gradients of activation functions: the rows of ops/elementwise/gradient.def.

#define INPUTS 2
#include "common/pointwise.glsl"
#include "common/arithmetic.glsl"
#include "common/math/order.glsl"
#include "common/math/derivative.glsl"

T apply(T x, T y, T w, T a, T b, T c) {
  uint next_row = 0;
  T z = x;
#include "ops/elementwise/gradient.def"
  return z;
}
