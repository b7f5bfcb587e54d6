// The state of softmax and its like: the highest element and the sum of exp(x - highest), so that nothing overflows. Elements are
// those of operand 0.

#include "common/math/exponential.glsl"

struct State {
  T highest;
  T sum;
};

// Equal ones first: the difference of infinities is no number.
T weight_of(T x, T highest) { return x == highest ? T(1) : exp_of(x - highest); }
// Of an element below the highest one, which is finite: where it is not, the sum is no number anyway. Less than a normal number
// counts as nothing.
T weight_below(T x, T highest) {
  const T distance = x - highest;
  const bool counts = distance > kExpNormal;
  return counts ? exp_normal(counts ? distance : T(0)) : T(0);
}
T higher(T x, T y) { return isnan(x) || x > y ? x : y; }

T highest_of(T x[8]) {
  return higher(higher(higher(x[0], x[4]), higher(x[2], x[6])), higher(higher(x[1], x[5]), higher(x[3], x[7])));
}
T sum_of(T x[8]) { return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7])); }

State nothing() { return State(-infinity(), T(0)); }

State join(State x, State y) {
  const T highest = higher(x.highest, y.highest);
  return State(highest, x.sum * weight_of(x.highest, highest) + y.sum * weight_of(y.highest, highest));
}

#if WIDE_FLOATS
uvec4 words_of(State s) { return uvec4(unpackDouble2x32(s.highest), unpackDouble2x32(s.sum)); }
State state_of(uvec4 words) { return State(packDouble2x32(words.xy), packDouble2x32(words.zw)); }
#else
uvec4 words_of(State s) { return uvec4(floatBitsToUint(s.highest), floatBitsToUint(s.sum), 0u, 0u); }
State state_of(uvec4 words) { return State(uintBitsToFloat(words.x), uintBitsToFloat(words.y)); }
#endif

T lanes[8];
T top;

void take_highest(uint at, const uint n) {
  T x[8];
  LOAD(0, at, n, x);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) lanes[i] = higher(lanes[i], x[i]);
  }
}

void take_sum(uint at, const uint n) {
  T x[8];
  LOAD(0, at, n, x);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) lanes[i] += weight_below(x[i], top);
  }
}

// Leaves the highest element of this thread in `top`, and lanes that are 0.
void find_top() {
  [[unroll]] for (uint i = 0; i < 8; ++i) lanes[i] = -infinity();
  SWEEP(take_highest)
  [[unroll]] for (uint i = 1; i < 8; ++i) lanes[0] = higher(lanes[0], lanes[i]);
  top = lanes[0];
  [[unroll]] for (uint i = 0; i < 8; ++i) lanes[i] = T(0);
}

State state_of_elements() {
  find_top();
  SWEEP(take_sum)
  return State(top, sum_of(lanes));
}
