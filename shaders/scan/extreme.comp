#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 i32 i64 i64f
// cummax (kOperator 0) and cummin (1): the running extreme, and its index in operand 3. Of equal elements the last one counts; NaN wins.

#include "scan/scan.args.h"
#define OPERANDS 4
#include "common/rows.glsl"

ROW_INPUT(0)
ROW_OUTPUT(1)
ROW_OUTPUT(3)

ACLVK_CONSTANTS(SCAN_CONSTANTS)

struct State {
  T value;
  uint index;  // kNoIndex: of no elements
};
const uint kNoIndex = ~0u;

bool reaches(T x, T y) { return kOperator == 0 ? x >= y : x <= y; }
#if INTEGER_CLASS
bool replaces(T x, T y) { return reaches(x, y); }
#else
bool replaces(T x, T y) { return isnan(x) || (!isnan(y) && reaches(x, y)); }
#endif

State nothing() { return State(T(0), kNoIndex); }
State join(State x, State y) {
  const bool second = y.index != kNoIndex && (x.index == kNoIndex || replaces(y.value, x.value));
  return State(second ? y.value : x.value, second ? y.index : x.index);
}
State state_at(T x, uint at) { return State(x, at); }
uvec4 words_of(State s) { return uvec4(pack(s.value).xy, s.index, 0u); }
State state_of(uvec4 words) { return State(unpack(uvec4(words.xy, 0u, 0u)), words.z); }

void give(uint at, const uint n, State states[8]) {
  T values[8];
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) values[i] = states[i].value;
  }
  STORE(1, at, n, values);
  const uint size = size_of(kDtype3);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    const uint index = row.starts[3] + (at + i) * row.steps[3];
    if (i < n) set_element_3(row.slots[3], index, size, uvec4(states[i].index, 0u, 0u, 0u));
  }
}

#include "scan/scan.glsl"
