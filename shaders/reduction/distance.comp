#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// The p-norm of the difference of two vectors, which are rows; operand 2 is the result. With kPairs (pdist) both are among `points` vectors
// with the stride `step`, and rows are numbered as the pairs (0, 1), (0, 2), ... (1, 2), ..., from `first` on.

#include "reduction/distance.args.h"
#define OPERANDS 3
#define OWN_ARGUMENTS DISTANCE_ARGUMENTS
#include "common/rows.glsl"
#include "common/arithmetic.glsl"

ROW_INPUT(0)
ROW_INPUT(1)
ROW_OUTPUT(2)

ACLVK_CONSTANTS(DISTANCE_CONSTANTS)

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

// The number of pairs whose first vector is before vector n: n * (2 points - n - 1) / 2. The even factor is halved first.
uint pairs_before(uint n, uint points) {
  const uint others = 2u * points - n - 1u;
  return (n & 1u) == 0u ? n / 2u * others : n * (others / 2u);
}

uvec2 pair_of(uint number, uint points) {
  uint low = 0;
  uint high = points;
  while (high - low > 1u) {  // iterations: binary search
    const uint middle = low + (high - low) / 2u;
    if (pairs_before(middle, points) <= number) low = middle;
    else high = middle;
  }
  return uvec2(low, low + 1u + number - pairs_before(low, points));
}

T sum;

void accumulate(uint at, const uint n) {
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
  SWEEP(accumulate)
  const State all = join_team(State(sum));
  if (!writes_for_team()) return;
  STORE_ONE(2, encode(result(all.value), kDtype2));
}
