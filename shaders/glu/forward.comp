#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 activation weighted
// z = activation(x) * linear(y), a row of ops/glu/glu.def; x and y are views of one tensor.
//
//     activation   also writes activation(x), before z
//     weighted     has an operand before x and y: w, or the row mask, whose weights multiply the result

#include "glu/unit.args.h"
#if defined(VARIANT_activation)
#define OPERANDS 4
#elif defined(VARIANT_weighted)
#define OPERANDS 4
#define INDEXED_OPERANDS 1
#else
#define OPERANDS 3
#endif
#define OWN_ARGUMENTS UNIT_ARGUMENTS
#include "common/strided.glsl"
#include "glu/unit.glsl"
#if defined(VARIANT_activation)
ACLVK_STORES(2)
#endif
#if defined(VARIANT_weighted)
#include "glu/row_mask.glsl"
#endif

T activated;

// Returns activation * linear; leaves the activation in `activated`.
T apply(T x, T y, T w, T a, T b, T c) {
  T other = y;
  uint row = 0;
#define GLU(name, half, activation, derivative, linear, linear_derivative) \
  if (kOperator == row++) {                                      \
    activated = activation;                                      \
    other = linear;                                              \
  }
#include "ops/glu/glu.def"
  return mul(activated, other);
}

void main() {
  const T a = T(ACLVK_ARGUMENT(alpha));
  const T b = T(ACLVK_ARGUMENT(limit));
  const T c = T(ACLVK_ARGUMENT(bias));
  if (!find_lanes()) return;
  T x[LANES];
  T y[LANES];
#if defined(VARIANT_weighted)
  load_row_mask();
  LOAD(1, x);
  LOAD(2, y);
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    const T z = apply(x[i], y[i], weights[i], a, b, c);
    x[i] = kRowMask ? mul(z, weights[i]) : z;
  }
  STORE_ACTIVE(3, x)
#else
  LOAD(0, x);
  LOAD(1, y);
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    y[i] = apply(x[i], y[i], T(0), a, b, c);
    x[i] = activated;
  }
#if defined(VARIANT_activation)
  STORE(2, x);
  STORE(3, y);
#else
  STORE(2, y);
#endif
#endif
}
