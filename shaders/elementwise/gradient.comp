#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 i32 i64 c64 c128
// Gradients of activations: the rows of ops/elementwise/gradient.def.

#define INPUTS 2
#include "common/pointwise.glsl"
#include "common/arithmetic.glsl"
#include "common/math/order.glsl"

T apply(T x, T y, T w, T a, T b, T c) {
  uint row = 0;
#define ROW(forms, name, rule, value) if (kOperator == row++) return value;
#include "ops/elementwise/gradient.def"
#undef ROW
  return x;
}
