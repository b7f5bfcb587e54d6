#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// For each bin, which is a row: the sum of the weights (operand 1) of the elements of operand 0 that equal the bin's number. The fixed order
// makes results deterministic, unlike atomic additions.

#define OPERANDS 3
#include "common/rows.glsl"

ROW_INPUT(0)
ROW_INPUT(1)
ROW_OUTPUT(2)

struct State {
  T sum;
};
State nothing() { return State(T(0)); }
State join(State x, State y) { return State(x.sum + y.sum); }
uvec4 words_of(State s) { return pack(s.sum); }
State state_of(uvec4 words) { return State(unpack(words)); }

#include "reduction/team.glsl"

T bin;
T lanes[8];

void accumulate(uint at, const uint n) {
  T x[8];
  T weight[8];
  LOAD(0, at, n, x);
  LOAD(1, at, n, weight);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n && x[i] == bin) lanes[i] += weight[i];
  }
}

void main() {
  if (!find_row()) return;
  bin = T(row.index);
  [[unroll]] for (uint i = 0; i < 8; ++i) lanes[i] = T(0);
  SWEEP(accumulate)
  const T mine = ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
  const State all = join_team(State(mine));
  if (writes_for_team()) STORE_ONE(2, encode(all.sum, kDtype2));
}
