// The state of softmax and log-sum-exp: the maximum of a row and the sum of exp(x - maximum), so that no exponential overflows. States
// of parts of a row are joined as in online softmax (Milakov & Gimelshein 2018). Elements are those of operand 0, unless a shader
// defines LOAD_ELEMENTS.

#include "common/math/exponential.glsl"

#ifndef LOAD_ELEMENTS
#define LOAD_ELEMENTS(at, n, values) LOAD(0, at, n, values)
#endif

struct State {
  T row_max;
  T sum;
};

// exp(x - row_max), and 1 for equal arguments: the difference of equal infinities is NaN.
T exp_difference(T x, T row_max) { return x == row_max ? T(1) : exp_of(x - row_max); }
// exp(x - row_max) of an element of the row: NaN and infinity make the sum NaN. finite_max() replaces the maximum of a part whose
// elements all are -infinity; these then contribute 0.
T exp_below_max(T x, T row_max) { return exp_below(x - row_max); }
T finite_max(T row_max) { return row_max == -infinity() ? T(0) : row_max; }
T nan_max(T x, T y) { return isnan(x) || x > y ? x : y; }  // propagates NaN
T plain_max(T x, T y) { return x > y ? x : y; }            // may drop NaN

T max_of(T x[8]) {
  return plain_max(plain_max(plain_max(x[0], x[4]), plain_max(x[2], x[6])), plain_max(plain_max(x[1], x[5]), plain_max(x[3], x[7])));
}
T sum_of(T x[8]) { return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7])); }

State nothing() { return State(-infinity(), T(0)); }

// For rows in registers the maximum of the whole row is known before sums start, so that sums need no rescaling.
State join(State x, State y) {
  const T row_max = nan_max(x.row_max, y.row_max);
  const T sum = x.sum * exp_difference(x.row_max, row_max) + y.sum * exp_difference(y.row_max, row_max);
  return State(row_max, kRegisterVec8s != 0 ? x.sum + y.sum : sum);
}

#if WIDE_FLOATS
uvec4 words_of(State s) { return uvec4(unpackDouble2x32(s.row_max), unpackDouble2x32(s.sum)); }
State state_of(uvec4 words) { return State(packDouble2x32(words.xy), packDouble2x32(words.zw)); }
#else
uvec4 words_of(State s) { return uvec4(floatBitsToUint(s.row_max), floatBitsToUint(s.sum), 0u, 0u); }
State state_of(uvec4 words) { return State(uintBitsToFloat(words.x), uintBitsToFloat(words.y)); }
#endif

T partials[8];
T thread_max;

void accumulate_max(uint at, const uint n) {
  T x[8];
  LOAD_ELEMENTS(at, n, x);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) partials[i] = nan_max(partials[i], x[i]);
  }
}

void accumulate_sum(uint at, const uint n) {
  T x[8];
  LOAD_ELEMENTS(at, n, x);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) partials[i] += exp_below_max(x[i], finite_max(thread_max));
  }
}

// Sets thread_max to the maximum of this thread's elements, and partials to 0.
void find_thread_max() {
  [[unroll]] for (uint i = 0; i < 8; ++i) partials[i] = -infinity();
  SWEEP(accumulate_max)
  [[unroll]] for (uint i = 1; i < 8; ++i) partials[0] = nan_max(partials[0], partials[i]);
  thread_max = partials[0];
  [[unroll]] for (uint i = 0; i < 8; ++i) partials[i] = T(0);
}

State state_of_elements() {
  find_thread_max();
  SWEEP(accumulate_sum)
  return State(thread_max, sum_of(partials));
}
