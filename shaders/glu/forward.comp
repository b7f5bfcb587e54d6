#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 kept weighted
// z = activation(x) * linear(y), a row of ops/glu/glu.def. x and y are views of one tensor. `kept` also stores the activation;
// `weighted` has an operand before these two: w, or marks of rows, whose weights are factors of the result.

#if defined(VARIANT_kept)
#define OPERANDS 4
#elif defined(VARIANT_weighted)
#define OPERANDS 4
#define RANDOM_ACCESS 1
#else
#define OPERANDS 3
#endif
#define FAMILY_WORDS 3
#define FAMILY_ARGUMENTS float alpha; float limit; float bias;
#include "common/strided.glsl"
#include "glu/unit.glsl"
#if defined(VARIANT_kept)
ACLVK_STORES(2)
#endif
#if defined(VARIANT_weighted)
#include "glu/marks.glsl"
#endif

T activated;

// Leaves the activation in `activated`.
T apply(T x, T y, T w, T a, T b, T c) {
  T other = y;
  uint row = 0;
#define GLU(name, half, activation, slope, linear, linear_slope) \
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
  load_marks();
  LOAD(1, x);
  LOAD(2, y);
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    const T z = apply(x[i], y[i], weights[i], a, b, c);
    x[i] = kMarked ? mul(z, weights[i]) : z;
  }
  STORE_COUNTING(3, x)
#else
  LOAD(0, x);
  LOAD(1, y);
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    y[i] = apply(x[i], y[i], T(0), a, b, c);
    x[i] = activated;
  }
#if defined(VARIANT_kept)
  STORE(2, x);
  STORE(3, y);
#else
  STORE(2, y);
#endif
#endif
}
