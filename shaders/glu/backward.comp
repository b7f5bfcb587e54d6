#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 part
// The gradients of both parts of a gated linear unit, a row of ops/glu/glu.def; z is the gradient of the result. `part` stores one of
// them, behind an operand with marks of rows whose weights are factors of the result: for part 0 the gradient of x, for part 1
// that of y, for part 2 z times the result without its weight, whose sum over a row is the weight's gradient.

#if defined(VARIANT_part)
#define RANDOM_ACCESS 1
#endif
#define OPERANDS 5
#define FAMILY_WORDS 3
#define FAMILY_ARGUMENTS float alpha; float limit; float bias;
#include "common/strided.glsl"
#include "glu/unit.glsl"
#if defined(VARIANT_part)
#include "glu/marks.glsl"
layout(constant_id = FIRST_CONSTANT + 2) const uint kPart = 0;
#else
ACLVK_STORES(3)
#endif

struct Unit {
  T activated;
  T slope;
  T other;
  T other_slope;
};

Unit unit_of(T x, T y, T a, T b, T c) {
  const T w = T(0);
  Unit unit = Unit(T(0), T(0), T(0), T(0));
  uint row = 0;
#define GLU(name, half, activation, slope, linear, linear_slope) \
  if (kOperator == row++) unit = Unit(activation, slope, linear, linear_slope);
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
#if defined(VARIANT_part)
  load_marks();
  LOAD(1, z);
  LOAD(2, x);
  LOAD(3, y);
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    const Unit unit = unit_of(x[i], y[i], a, b, c);
    const T weighted = kMarked ? mul(z[i], weights[i]) : z[i];
    x[i] = kPart == 0   ? mul(weighted, mul(unit.slope, unit.other))
           : kPart == 1 ? mul(weighted, mul(unit.activated, unit.other_slope))
                        : mul(z[i], mul(unit.activated, unit.other));
  }
  STORE_COUNTING(4, x)
#else
  LOAD(0, z);
  LOAD(1, x);
  LOAD(2, y);
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    const Unit unit = unit_of(x[i], y[i], a, b, c);
    x[i] = mul(z[i], mul(unit.slope, unit.other));
    y[i] = mul(z[i], mul(unit.activated, unit.other_slope));
  }
  STORE(3, x);
  STORE(4, y);
#endif
}
