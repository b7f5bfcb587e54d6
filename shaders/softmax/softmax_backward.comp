#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 masked counted
// The gradient of softmax (kOperator 0): (g - sum(g * y)) * y, or of log_softmax (1): g - exp(y) * sum(g). Operands:
// the gradient g of the result y; y; the gradient of x.
//
//     masked    has a mask before the last operand: masked elements get 0, others are multiplied by `factor`
//     counted   has one number a row before the last operand: a row with 0 gets 0, even if it holds NaN

#include "softmax/softmax.args.h"
#if defined(VARIANT_masked)
#define OPERANDS 4
#define OWN_ARGUMENTS SOFTMAX_ARGUMENTS
#elif defined(VARIANT_counted)
#define OPERANDS 4
#else
#define OPERANDS 3
#endif
#include "common/rows.glsl"

ROW_INPUT(0)
ROW_INPUT(1)
#if OPERANDS == 4
ROW_INPUT(2)
ROW_OUTPUT(3)
#define STORE_OUT(at, n, values) STORE(3, at, n, values)
#else
ROW_OUTPUT(2)
#define STORE_OUT(at, n, values) STORE(2, at, n, values)
#endif

ACLVK_CONSTANTS(SOFTMAX_CONSTANTS)

#include "common/math/exponential.glsl"

struct State {
  T sum;
};
State nothing() { return State(T(0)); }
State join(State x, State y) { return State(x.sum + y.sum); }
uvec4 words_of(State s) { return pack(s.sum); }
State state_of(uvec4 words) { return State(unpack(words)); }

#include "reduction/team.glsl"

T lanes[8];
T sum;
#if defined(VARIANT_masked)
T scale_of_x;
#elif defined(VARIANT_counted)
bool has_gradient;
#endif

void accumulate(uint at, const uint n) {
  T g[8];
  T y[8];
  LOAD(0, at, n, g);
  LOAD(1, at, n, y);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) lanes[i] += kOperator == 0 ? g[i] * y[i] : g[i];
  }
}

void write_result(uint at, const uint n) {
  T g[8];
  T y[8];
  LOAD(0, at, n, g);
  LOAD(1, at, n, y);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) g[i] = kOperator == 0 ? (g[i] - sum) * y[i] : g[i] - exp_of(y[i]) * sum;
  }
#if defined(VARIANT_masked)
  LOAD(2, at, n, y);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) g[i] = y[i] != T(0) ? T(0) : g[i] * scale_of_x;
  }
#elif defined(VARIANT_counted)
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n && !has_gradient) g[i] = T(0);
  }
#endif
  STORE_OUT(at, n, g);
}

void main() {
#if defined(VARIANT_masked)
  scale_of_x = T(ACLVK_ARGUMENT(factor));
#endif
  if (!find_row()) return;
#if defined(VARIANT_counted)
  has_gradient = decode(element_2(row.slots[2], row.starts[2], size_of(kDtype2)), kDtype2) != T(0);
#endif
  [[unroll]] for (uint i = 0; i < 8; ++i) lanes[i] = T(0);
  SWEEP(accumulate)
  sum = join_team(State(((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7])))).sum;
  SWEEP(write_result)
}
