// The frame of scans along a dim; ops/scan/scan.cpp is the host's half. One thread scans a row, or a chunk of one. With chunks three
// kernels run (reduce, then scan): the first writes the state of each chunk, the second replaces it by the state of all chunks before, the
// third scans each chunk from there. Operand 0 is x, operand 1 the result, operand 2 the states. Before it includes this, a shader
// includes common/rows.glsl, declares SCAN_CONSTANTS and defines State with
//
//     State nothing()                    the state of no elements
//     State join(State x, State y)       x comes before y
//     State state_at(T x, uint at)       of an element and its index along the dim
//     uvec4 words_of(State s)            a state as four words
//     State state_of(uvec4 words)        and back
//     void give(uint at, const uint n, State s[8])     stores results

const uint kOnly = 0, kStates = 1, kBefore = 2, kFinal = 3;

State now;

uint scan_index(uint at, uint count) { return kReverse ? count - 1u - at : at; }

void scan(uint step, const uint n) {
  const uint at = n == 8u ? step : scan_index(step, row.count);
  T x[8];
  State states[8];
  LOAD(0, at, n, x);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) {
      const State before = now;
      now = join(now, state_at(x[i], row.first + at + i));
      states[i] = kExclusive ? before : now;
    }
  }
  if (kPhase != kStates) give(at, n, states);
}

// Uses vec8s when the host has found rows to be contiguous; never in reverse.
void scan_elements() {
  const uint lead = kVector != 0 ? row.lead : row.count;
  const uint body = kVector != 0 ? row.body : row.count;
  for (uint at = 0; at < lead; ++at) scan(at, 1u);  // iterations: chunk_for() of ops/scan/scan.cpp
  if (kVector != 0) {
    for (uint at = lead; at < body; at += kSpan) VISIT_VEC8S(scan, at)  // iterations: as above
    for (uint at = body; at < row.count; ++at) scan(at, 1u);  // iterations: fewer than a span
  }
}

void scan_states() {
  for (uint step = 0; step < row.count; ++step) {  // iterations: chunk_for() of ops/scan/scan.cpp
    const uint at = 16 * (row.starts[2] + scan_index(step, row.count));
    const State mine = state_of(words4_2(row.slots[2], at));
    set_words4_2(row.slots[2], at, words_of(now));
    now = join(now, mine);
  }
}

void main() {
  if (!find_row()) return;
  const uint at = 16 * (row.starts[2] + row.chunk);
  now = nothing();
  if (kPhase == kFinal) now = state_of(words4_2(row.slots[2], at));
  if (kPhase == kBefore) {
    scan_states();
  } else {
    scan_elements();
  }
  if (kPhase == kStates) set_words4_2(row.slots[2], at, words_of(now));
}
