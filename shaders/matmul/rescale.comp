#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// Numbers between their quantised and their own form, in float: z = (x + a) * b for the elements of factors, z = x * a * b + c for
// those of products. What is not there is in no memory: kParts says which of a, b and c are. An integer z is rounded to even and
// saturates.

#define OPERANDS 5
#define FAMILY_WORDS 0
#define FAMILY_ARGUMENTS
#include "common/strided.glsl"

layout(constant_id = FIRST_CONSTANT + 1) const uint kOfProducts = 0;
layout(constant_id = FIRST_CONSTANT + 2) const uint kParts = 0;

void main() {
  if (!find_lanes()) return;
  T x[LANES];
  T a[LANES];
  T b[LANES];
  T c[LANES];
  LOAD(0, x);
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    a[i] = kOfProducts != 0 ? T(1) : T(0);
    b[i] = T(1);
    c[i] = T(0);
  }
  if ((kParts & 1u) != 0) LOAD(1, a);
  if ((kParts & 2u) != 0) LOAD(2, b);
  if ((kParts & 4u) != 0) LOAD(3, c);
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    const T z = kOfProducts != 0 ? x[i] * a[i] * b[i] + c[i] : (x[i] + a[i]) * b[i];
    x[i] = is_floating(kDtype4) ? z : roundEven(z);
  }
  STORE(4, x);
}
