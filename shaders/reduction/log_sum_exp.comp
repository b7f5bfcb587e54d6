#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// log-sum-exp.

#include "reduction/reduction.args.h"
#define OPERANDS 2
#define OWN_ARGUMENTS REDUCTION_ARGUMENTS
#include "common/rows.glsl"

ROW_INPUT(0)
ROW_OUTPUT(1)

ACLVK_CONSTANTS(REDUCTION_CONSTANTS)

T argument;

#include "common/exponential_sum.glsl"

void finish(State s) {
  const T result = is_infinite(s.row_max) ? s.row_max : s.row_max + log_of(s.sum);
  STORE_ONE(1, encode(result, kDtype1));
}

#include "reduction/reduction.glsl"
