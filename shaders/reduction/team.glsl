// How the threads of a team join their states (reduction/reduction.glsl says what a State is): a tree, the same in each run.

shared uvec4 board[256];

// The state of the team's row, for all of its threads.
State join_team(State mine) {
  if (kTeam == 1) return mine;
  const uint place = gl_LocalInvocationID.x;
  board[place] = words_of(mine);
  barrier();
  for (uint distance = kTeam / 2; distance > 0; distance /= 2) {
    if (row.lane < distance) {
      const State near = state_of(board[place]);
      board[place] = words_of(join(near, state_of(board[place + distance])));
    }
    barrier();
  }
  const State all = state_of(board[place - row.lane]);
  barrier();
  return all;
}
