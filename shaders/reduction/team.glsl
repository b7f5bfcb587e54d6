// Joins the states of a team's threads (State: see reduction/reduction.glsl) in a fixed tree, so results are deterministic.

#extension GL_KHR_shader_subgroup_shuffle : require

shared uvec4 board[256];

// Butterfly reduction by shuffles: all threads get the same result.
State join_subgroup(State mine) {
  [[unroll]] for (uint level = 0; level < 7; ++level) {
    const uint distance = 1u << level;
    if (distance < kTeam) {
      const uvec4 words = words_of(mine);
      const uvec4 others = subgroupShuffleXor(words, distance);
      const bool first = (row.lane & distance) == 0;
      mine = join(state_of(first ? words : others), state_of(first ? others : words));
    }
  }
  return mine;
}

// Returns the state of the team's row to all of its threads.
State join_team(State mine) {
  if (kTeam == 1) return mine;
  if (kTeamIsSubgroup != 0) return join_subgroup(mine);
  const uint thread = gl_LocalInvocationID.x;
  board[thread] = words_of(mine);
  barrier();
  for (uint distance = kTeam / 2; distance > 0; distance /= 2) {
    if (row.lane < distance) {
      const State near = state_of(board[thread]);
      board[thread] = words_of(join(near, state_of(board[thread + distance])));
    }
    barrier();
  }
  const State all = state_of(board[thread - row.lane]);
  barrier();
  return all;
}
