#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 single
// The gradient of a gated linear unit, a row of ops/glu/glu.def; z is the gradient of the result.
//
//     f32, f64   write the gradients of both halves
//     single     writes one output, kGradientOf: 0 the gradient of the gate, 1 that of the linear half, 2 z times the
//                unweighted result, whose sum over a row is the gradient of the row's weight. Operand 0 is the row mask.

#include "glu/backward.args.h"
#include "glu/unit.args.h"
#if defined(VARIANT_single)
#define INDEXED_OPERANDS 1
#endif
#define OPERANDS 5
#define OWN_ARGUMENTS UNIT_ARGUMENTS
#include "common/strided.glsl"
#include "glu/unit.glsl"
#if defined(VARIANT_single)
#include "glu/row_mask.glsl"
ACLVK_CONSTANTS(BACKWARD_CONSTANTS)
#else
ACLVK_STORES(3)
#endif

struct Unit {
  T activated;
  T derivative;
  T other;
  T other_derivative;
};

Unit unit_of(T x, T y, T a, T b, T c) {
  const T w = T(0);
  Unit unit = Unit(T(0), T(0), T(0), T(0));
  uint row = 0;
#define GLU(name, half, activation, derivative, linear, linear_derivative) \
  if (kOperator == row++) unit = Unit(activation, derivative, linear, linear_derivative);
#include "ops/glu/glu.def"
  return unit;
}

void main() {
  const T a = T(ACLVK_ARGUMENT(alpha));
  const T b = T(ACLVK_ARGUMENT(limit));
  const T c = T(ACLVK_ARGUMENT(bias));
  if (!find_lanes()) return;
  T x[LANES];
  T y[LANES];
  T z[LANES];
#if defined(VARIANT_single)
  load_row_mask();
  LOAD(1, z);
  LOAD(2, x);
  LOAD(3, y);
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    const Unit unit = unit_of(x[i], y[i], a, b, c);
    const T weighted = kRowMask ? mul(z[i], weights[i]) : z[i];
    x[i] = kGradientOf == 0   ? mul(weighted, mul(unit.derivative, unit.other))
           : kGradientOf == 1 ? mul(weighted, mul(unit.activated, unit.other_derivative))
                        : mul(z[i], mul(unit.activated, unit.other));
  }
  STORE_ACTIVE(4, x)
#else
  LOAD(0, z);
  LOAD(1, x);
  LOAD(2, y);
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    const Unit unit = unit_of(x[i], y[i], a, b, c);
    x[i] = mul(z[i], mul(unit.derivative, unit.other));
    y[i] = mul(z[i], mul(unit.activated, unit.other_derivative));
  }
  STORE(3, x);
  STORE(4, y);
#endif
}
