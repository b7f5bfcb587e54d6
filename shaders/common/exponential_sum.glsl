// The state of softmax and its like: the highest element and the sum of exp(x - highest), so that nothing overflows. Elements are
// those of operand 0, unless a shader defines LOAD_ELEMENTS.

#include "common/math/exponential.glsl"

#ifndef LOAD_ELEMENTS
#define LOAD_ELEMENTS(at, n, values) LOAD(0, at, n, values)
#endif

struct State {
  T highest;
  T sum;
};

// Equal ones first: the difference of infinities is no number.
T weight_of(T x, T highest) { return x == highest ? T(1) : exp_of(x - highest); }
// Of an element of the row. NaN and infinity make the sum no number. The highest of elements that all are -infinity takes no part:
// others may be higher.
T weight_below(T x, T highest) { return exp_below(x - highest); }
T base_of(T highest) { return highest == -infinity() ? T(0) : highest; }
T higher(T x, T y) { return isnan(x) || x > y ? x : y; }  // NaN wins
T greater(T x, T y) { return x > y ? x : y; }             // NaN may be lost

T greatest_of(T x[8]) {
  return greater(greater(greater(x[0], x[4]), greater(x[2], x[6])), greater(greater(x[1], x[5]), greater(x[3], x[7])));
}
T sum_of(T x[8]) { return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7])); }

State nothing() { return State(-infinity(), T(0)); }

// Rows that are held get their highest element first, and all sums count from it.
State join(State x, State y) {
  const T highest = higher(x.highest, y.highest);
  const T sum = x.sum * weight_of(x.highest, highest) + y.sum * weight_of(y.highest, highest);
  return State(highest, kRegisterVec8s != 0 ? x.sum + y.sum : sum);
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
  LOAD_ELEMENTS(at, n, x);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) lanes[i] = higher(lanes[i], x[i]);
  }
}

void take_sum(uint at, const uint n) {
  T x[8];
  LOAD_ELEMENTS(at, n, x);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) lanes[i] += weight_below(x[i], base_of(top));
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
