#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// The gradients of softmax (kOperator 0) and log_softmax (1): operands are the gradient g of the result y, y, and the gradient of x.

#define OPERANDS 3
#define FAMILY_WORDS 0
#define FAMILY_ARGUMENTS
#include "common/rows.glsl"

ROW_INPUT(0)
ROW_INPUT(1)
ROW_OUTPUT(2)

layout(constant_id = FIRST_CONSTANT) const uint kOperator = 0;

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

void take(uint at, const uint n) {
  T g[8];
  T y[8];
  LOAD(0, at, n, g);
  LOAD(1, at, n, y);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) lanes[i] += kOperator == 0 ? g[i] * y[i] : g[i];
  }
}

void give(uint at, const uint n) {
  T g[8];
  T y[8];
  LOAD(0, at, n, g);
  LOAD(1, at, n, y);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) g[i] = kOperator == 0 ? (g[i] - sum) * y[i] : g[i] - exp_of(y[i]) * sum;
  }
  STORE(2, at, n, g);
}

void main() {
  if (!find_row()) return;
  [[unroll]] for (uint i = 0; i < 8; ++i) lanes[i] = T(0);
  SWEEP(take)
  sum = join_team(State(((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7])))).sum;
  SWEEP(give)
}
