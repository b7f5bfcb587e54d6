#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 i32 i64 i64f c64 c128
// Arithmetic and comparisons: the rows of ops/elementwise/binary.def.

#define INPUTS 2
#include "common/pointwise.glsl"
#include "common/arithmetic.glsl"
#include "common/math/order.glsl"
#include "common/math/rounding.glsl"

T apply(T x, T y, T w, T a, T b, T c) {
  uint next_row = 0;
  T z = x;
#include "ops/elementwise/binary.def"
  return z;
}
