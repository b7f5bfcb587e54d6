#version 460
#extension GL_GOOGLE_include_directive : require
// variants: c64 c128
// z = complex number from two reals: the rows of ops/elementwise/complex.def.

#include "elementwise/complex.args.h"
#define OPERANDS 3
#include "common/strided.glsl"
#include "common/math/complex.glsl"

ACLVK_CONSTANTS(COMPLEX_CONSTANTS)

T apply(R x, R y) {
  T z = T(0);
  uint row = 0;
#define COMPLEX(name, value) if (kOperator == row++) z = value;
#include "ops/elementwise/complex.def"
#undef COMPLEX
  return z;
}

void main() {
  if (!find_lanes()) return;
  T x[LANES];
  T y[LANES];
  LOAD(0, x);
  LOAD(1, y);
  [[dont_unroll]] for (uint i = 0; i < kLanes; ++i) x[i] = apply(x[i].x, y[i].x);
  STORE(2, x);
}
