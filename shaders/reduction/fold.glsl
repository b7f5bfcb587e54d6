// Reductions whose state is one T: the rows of a table like ops/reduction/fold.def. A shader includes this and then defines, with
// one line each that reads the table,
//
//     T identity()        T element(T x)        T combine(T x, T y)        T result(T x)

#define OPERANDS 2
#define FAMILY_WORDS 4
#define FAMILY_ARGUMENTS uint argument[4];
#include "common/rows.glsl"
#include "common/arithmetic.glsl"

ROW_INPUT(0)
ROW_OUTPUT(1)

layout(constant_id = FIRST_CONSTANT) const uint kOperator = 0;

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

// Eight sums at a time are faster, and closer to the exact one, than one.
T sums[8];

void take(uint at, const uint n) {
  T x[8];
  LOAD(0, at, n, x);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) sums[i] = combine(sums[i], element(x[i]));
  }
}

State state_of_elements() {
  [[unroll]] for (uint i = 0; i < 8; ++i) sums[i] = identity();
  SWEEP(take)
  [[unroll]] for (uint distance = 4; distance > 0; distance /= 2) {
    [[unroll]] for (uint i = 0; i < distance; ++i) sums[i] = combine(sums[i], sums[i + distance]);
  }
  return State(sums[0]);
}

void finish(State s) {
  const T value = result(s.value);
  STORE_ONE(1, encode(kDtype1 == kPromoted ? value : narrow(value), kDtype1));
}

#include "reduction/reduction.glsl"
