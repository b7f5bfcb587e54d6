// Reductions whose state is one T: the rows of a table like ops/reduction/reduce.def. A shader includes this and then defines, by
// including the table,
//
//     T identity()        T element(T x)        T combine(T x, T y)        T result(T x)

#include "reduction/reduction.args.h"
#define OPERANDS 2
#define OWN_ARGUMENTS REDUCTION_ARGUMENTS
#include "common/rows.glsl"
#include "common/arithmetic.glsl"

ROW_INPUT(0)
ROW_OUTPUT(1)

ACLVK_CONSTANTS(REDUCTION_CONSTANTS)

T argument;

#if COMPLEX_CLASS
T one() { return T(1, 0); }
T lowest() { return T(0); }
T highest() { return T(0); }
T truth(T x) { return x != T(0) ? one() : T(0); }
T not_nan(T x) { return x; }
#elif INTEGER_CLASS
#if WIDE_INTEGERS
T highest() { return T(0x7FFFFFFFFFFFFFFFl); }
#else
T highest() { return 0x7FFFFFFF; }
#endif
T one() { return T(1); }
T lowest() { return -highest() - T(1); }
T truth(T x) { return T(x != T(0)); }
T not_nan(T x) { return x; }
#else
T one() { return T(1); }
T highest() { return T(uintBitsToFloat(0x7F800000u)); }
T lowest() { return -highest(); }
T truth(T x) { return x != T(0) ? T(1) : T(0); }
T not_nan(T x) { return isnan(x) ? T(0) : x; }
#endif

T identity();
T element(T x);
T combine(T x, T y);
T result(T x);

struct State {
  T value;
};
State nothing() { return State(identity()); }
State join(State x, State y) { return State(combine(x.value, y.value)); }
uvec4 words_of(State s) { return pack(s.value); }
State state_of(uvec4 words) { return State(unpack(words)); }

T sum;

// The elements of a vec8 are combined before they are added to the state: more accurate than adding one by one, and fewer values live
// through the loop, which costs on CPU drivers.
void accumulate(uint at, const uint n) {
  T x[8];
  LOAD(0, at, n, x);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) x[i] = element(x[i]);
  }
  if (n == 8u) {
    [[unroll]] for (uint i = 0; i < 4; ++i) x[i] = combine(x[i], x[i + 4]);
    x[0] = combine(combine(x[0], x[2]), combine(x[1], x[3]));
  }
  sum = combine(sum, x[0]);
}

State state_of_elements() {
  sum = identity();
  SWEEP(accumulate)
  return State(sum);
}

void finish(State s) {
  const T value = result(s.value);
  STORE_ONE(1, encode(kDtype1 == kPromoted ? value : narrow(value), kDtype1));
}

#include "reduction/reduction.glsl"
