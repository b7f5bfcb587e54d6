#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 i32 i64 i64f c64 c128
// cumsum (kOperator 0) and cumprod (1).

#include "scan/scan.args.h"
#define OPERANDS 3
#include "common/rows.glsl"
#include "common/arithmetic.glsl"

ROW_INPUT(0)
ROW_OUTPUT(1)

ACLVK_CONSTANTS(SCAN_CONSTANTS)

struct State {
  T value;
};

#if COMPLEX_CLASS
T one() { return T(1, 0); }
#else
T one() { return T(1); }
#endif

State nothing() { return State(kOperator == 0 ? T(0) : one()); }
State join(State x, State y) { return State(kOperator == 0 ? add(x.value, y.value) : mul(x.value, y.value)); }
State state_at(T x, uint at) { return State(x); }
uvec4 words_of(State s) { return pack(s.value); }
State state_of(uvec4 words) { return State(unpack(words)); }

void give(uint at, const uint n, State states[8]) {
  T y[8];
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) y[i] = kDtype1 == kPromoted ? states[i].value : narrow(states[i].value);
  }
  STORE(1, at, n, y);
}

#include "scan/scan.glsl"
