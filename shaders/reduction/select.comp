#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 i32 i64 i64f
// The maximum or minimum along a dim, and its index. kOutputs selects the outputs.

#include "reduction/reduction.args.h"
#define OPERANDS 3
#define OWN_ARGUMENTS REDUCTION_ARGUMENTS
#include "common/rows.glsl"

ROW_INPUT(0)
ROW_OUTPUT(1)
ROW_OUTPUT(2)

ACLVK_CONSTANTS(REDUCTION_CONSTANTS)
#undef FIRST_CONSTANT
#define FIRST_CONSTANT (FRAME_CONSTANTS + ACLVK_CONSTANT_COUNT(REDUCTION_CONSTANTS))
ACLVK_CONSTANTS(OUTPUTS_CONSTANTS)

T argument;
#define HAS_INDEX
uint elements_before;  // elements of the row before those of this kernel

// The index of the first element of this kernel's row or chunk.
uint first_index() { return elements_before + row.first; }

#include "reduction/select.glsl"

State best;

// When a row has a team, a vec8 is only compared as a whole: `index` is that of its span, and found() finds the element at the end.
const bool kFindsAtEnd = kTeam > 1;

T best_of(T x[8]) {
  return better(better(better(x[0], x[4]), better(x[2], x[6])), better(better(x[1], x[5]), better(x[3], x[7])));
}

State state_of_span(uint at, T x[8]) {
  bool nan = false;
  [[unroll]] for (uint i = 0; i < 4; ++i) nan = nan || x[i] != x[i] || x[i + 4] != x[i + 4];
  return State(nan ? not_a_number() : best_of(x), first_index() + at - 8 * half_span);
}

State state_of_vec8(uint at, const uint n, T x[8]) {
  uint index = 0;
  [[unroll]] for (uint i = 1; i < 8; ++i) {
    const bool first = i < n && beats(x[i], x[0]);
    x[0] = first ? x[i] : x[0];
    index = first ? i : index;
  }
  return State(x[0], first_index() + at + index);
}

void accumulate(uint at, const uint n) {
  T x[8];
  LOAD(0, at, n, x);
  if (kFindsAtEnd && n == 8u) {
    const State mine = state_of_span(at, x);
    const bool first = best.index == kNoIndex || beats(mine.value, best.value);
    best = State(first ? mine.value : best.value, first ? mine.index : best.index);
  } else {
    best = join(best, state_of_vec8(at, n, x));
  }
}

State goal;

void find(uint at, const uint n) {
  T x[8];
  LOAD(0, at, n, x);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    const bool here = goal.index == kNoIndex && (x[i] == goal.value || (x[i] != x[i] && goal.value != goal.value));
    goal = State(here ? x[i] : goal.value, here ? first_index() + at + i : goal.index);
  }
}

State found(State s) {
  const uint at = s.index - first_index();
  goal = s;
  if (kFindsAtEnd && kVector != 0 && at >= row.lead && at < row.body) {
    goal.index = kNoIndex;
    VISIT_VEC8S(find, at)
  }
  return goal;
}
#define FOUND(state) found(state)

State state_of_elements() {
  best = nothing();
  SWEEP(accumulate)
  return best;
}

void finish(State s) {
  if ((kOutputs & 1u) != 0) STORE_ONE(1, encode(s.value, kDtype1));
  if ((kOutputs & 2u) != 0) STORE_ONE(2, uvec4(s.index, 0u, 0u, 0u));
}

#include "reduction/reduction.glsl"
