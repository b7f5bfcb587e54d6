#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 i32 i64 i64f
// The highest or lowest element along a dim and where it is. Outputs are the value, and the place if kOutputs is 2.

#define OPERANDS 3
#define FAMILY_WORDS 4
#define FAMILY_ARGUMENTS uint argument[4];
#include "common/rows.glsl"

ROW_INPUT(0)
ROW_OUTPUT(1)
ROW_OUTPUT(2)

layout(constant_id = FIRST_CONSTANT) const uint kOperator = 0;
layout(constant_id = FIRST_CONSTANT + 3) const uint kOutputs = 3;  // a bit for each output that is wanted

T argument;

#include "reduction/select.glsl"

State best;

void take(uint at, const uint n) {
  T x[8];
  LOAD(0, at, n, x);
  uint place = 0;
  [[unroll]] for (uint i = 1; i < 8; ++i) {
    const bool better = i < n && beats(x[i], x[0]);
    x[0] = better ? x[i] : x[0];
    place = better ? i : place;
  }
  best = join(best, State(x[0], row.first + at + place));
}

State state_of_elements() {
  best = nothing();
  SWEEP(take)
  return best;
}

void finish(State s) {
  if ((kOutputs & 1u) != 0) STORE_ONE(1, encode(s.value, kDtype1));
  if ((kOutputs & 2u) != 0) STORE_ONE(2, uvec4(s.place, 0u, 0u, 0u));
}

#include "reduction/reduction.glsl"
