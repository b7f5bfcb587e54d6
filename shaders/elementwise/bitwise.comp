#version 460
#extension GL_GOOGLE_include_directive : require
// variants: i32 i64 i64f
// Bitwise operators: the rows of ops/elementwise/bitwise.def.

#define INPUTS 2
#include "common/pointwise.glsl"
#include "common/math/order.glsl"
#include "common/math/bits.glsl"

T apply(T x, T y, T w, T a, T b, T c) {
  uint next_row = 0;
  T z = x;
#include "ops/elementwise/bitwise.def"
  return z;
}
