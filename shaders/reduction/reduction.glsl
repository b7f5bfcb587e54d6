// The frame of reductions; ops/reduction/reduction.cpp is the host's half. A row, or a chunk of one, is reduced to a State; states are
// joined, and the last one becomes the result. Before it includes this, a shader includes common/rows.glsl with OPERANDS 2 or 3 and
// REDUCTION_ARGUMENTS, declares REDUCTION_CONSTANTS and a T argument, and defines State with
//
//     State nothing()                    the state of no elements
//     State join(State x, State y)
//     uvec4 words_of(State s)            a state as four words
//     State state_of(uvec4 words)        and back
//     State state_of_elements()          of this thread's elements of the row
//     void finish(State s)               stores the result
//
// With kStates rows consist of states of an earlier kernel; with kPartial this kernel stores states.

// A shader whose states have only an approximate index defines FOUND(state), which reads the row again. Long rows are divided among
// kernels: a shader whose states have an index counts from elements_before, which it declares with HAS_INDEX.

#include "reduction/team.glsl"

#ifndef FOUND
#define FOUND(state) state
#endif

State joined_states() {
  State all = nothing();
  for (uint at = row.lane; at < row.count; at += kTeam) {  // iterations: chunk_for() of ops/reduction/reduction.cpp leaves few states
    all = join(all, state_of(words4_0(row.slots[0], 16 * (row.starts[0] + at * row.steps[0]))));
  }
  return all;
}

T operator_argument() {
  return value_of(uvec4(ACLVK_ARGUMENT(argument[0]), ACLVK_ARGUMENT(argument[1]), ACLVK_ARGUMENT(argument[2]),
                        ACLVK_ARGUMENT(argument[3])));
}

void main() {
  argument = operator_argument();
#ifdef HAS_INDEX
  elements_before = ACLVK_ARGUMENT(before);
#endif
  if (!find_row()) return;
  State mine = nothing();
  if (kStates != 0) {
    mine = joined_states();
  } else {
    mine = state_of_elements();
  }
  mine = join_team(mine);
  if (!writes_for_team()) return;
  if (kStates == 0) mine = FOUND(mine);
  if (kPartial != 0) {
    set_words4_1(row.slots[1], 16 * (row.starts[1] + row.chunk), words_of(mine));
  } else {
    finish(mine);
  }
}
