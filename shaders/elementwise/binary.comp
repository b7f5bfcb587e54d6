#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 i32 i64 i64f c64 c128
// z = operator(x, y, a): the rows of ops/elementwise/binary.def. y is a tensor, or a scalar in the arguments.

#define OPERANDS 3
#define FAMILY_WORDS 8
#define FAMILY_ARGUMENTS uint alpha[4]; uint scalar[4];
#include "common/strided.glsl"
#include "common/arithmetic.glsl"

layout(constant_id = FIRST_CONSTANT + 1) const uint kOperator = 0;

T apply(T x, T y, T a) {
  uint row = 0;
#define BINARY(name, rule, value) if (kOperator == row++) return value;
#include "ops/elementwise/binary_rows.def"
#undef BINARY
  return x;
}

T argument_alpha() {
  return value_of(uvec4(ACLVK_ARGUMENT(alpha[0]), ACLVK_ARGUMENT(alpha[1]), ACLVK_ARGUMENT(alpha[2]), ACLVK_ARGUMENT(alpha[3])));
}

T argument_scalar() {
  return value_of(
      uvec4(ACLVK_ARGUMENT(scalar[0]), ACLVK_ARGUMENT(scalar[1]), ACLVK_ARGUMENT(scalar[2]), ACLVK_ARGUMENT(scalar[3])));
}

void main() {
  const T alpha = argument_alpha();
  const T scalar = argument_scalar();
  if (!find_lanes()) return;
  T x[LANES];
  T y[LANES];
  LOAD(0, x);
  if (mode_of(1) == kArgument) {
    [[unroll]] for (uint i = 0; i < kLanes; ++i) y[i] = scalar;
  } else {
    LOAD(1, y);
  }
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    const T z = apply(x[i], y[i], alpha);
    x[i] = kDtype2 == kPromoted ? z : narrow(z);  // encoding rounds to its own dtype
  }
  STORE(2, x);
}
