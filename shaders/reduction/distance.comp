#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// The p-norm of the difference of two vectors, a row each; operand 2 is the result. With kPairs both are among `points` vectors that lie
// `step` apart, and rows number the pairs of them: (0, 1), (0, 2), ... (1, 2), ... The first row has the number `first`.

#define OPERANDS 3
#define FAMILY_WORDS 4
#define FAMILY_ARGUMENTS float exponent; uint points; uint step; uint first;
#include "common/rows.glsl"
#include "common/arithmetic.glsl"

ROW_INPUT(0)
ROW_INPUT(1)
ROW_OUTPUT(2)

layout(constant_id = FIRST_CONSTANT) const uint kOperator = 0;
layout(constant_id = FIRST_CONSTANT + 1) const bool kPairs = false;

T argument;
T highest() { return uintBitsToFloat(0x7F800000u); }

#include "reduction/norm.glsl"

struct State {
  T value;
};
State join(State x, State y) { return State(combine(x.value, y.value)); }
uvec4 words_of(State s) { return pack(s.value); }
State state_of(uvec4 words) { return State(unpack(words)); }

#include "reduction/team.glsl"

// How many pairs have a first vector before vector n: half of n * (2 points - n - 1), of which one factor is even.
uint pairs_before(uint n, uint points) {
  const uint others = 2u * points - n - 1u;
  return (n & 1u) == 0u ? n / 2u * others : n * (others / 2u);
}

uvec2 pair_of(uint number, uint points) {
  uint low = 0;
  uint high = points;
  while (high - low > 1u) {  // iterations: halves a range
    const uint middle = low + (high - low) / 2u;
    if (pairs_before(middle, points) <= number) low = middle;
    else high = middle;
  }
  return uvec2(low, low + 1u + number - pairs_before(low, points));
}

T sum;

void take(uint at, const uint n) {
  T x[8];
  T y[8];
  LOAD(0, at, n, x);
  LOAD(1, at, n, y);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) x[i] = element(x[i] - y[i]);
  }
  if (n == 8u) {
    [[unroll]] for (uint i = 0; i < 4; ++i) x[i] = combine(x[i], x[i + 4]);
    x[0] = combine(combine(x[0], x[2]), combine(x[1], x[3]));
  }
  sum = combine(sum, x[0]);
}

void main() {
  argument = ACLVK_ARGUMENT(exponent);
  const uint points = ACLVK_ARGUMENT(points);
  const uint step = ACLVK_ARGUMENT(step);
  const uint first = ACLVK_ARGUMENT(first);
  if (!find_row()) return;
  if (kPairs) {
    const uvec2 pair = pair_of(first + row.index, points);
    row.starts[0] += pair.x * step;
    row.starts[1] += pair.y * step;
  }
  sum = identity();
  SWEEP(take)
  const State all = join_team(State(sum));
  if (!writes_for_team()) return;
  STORE_ONE(2, encode(result(all.value), kDtype2));
}
