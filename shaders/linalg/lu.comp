#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 c64 c128
// P a = L U in place of a (rows x rows), right-looking with partial pivoting: one work group a matrix, or several in
// phase kEliminate. L has an implicit diagonal of 1. Operand 1 holds for each step the row that was swapped with the
// step's row: the first row with the largest |re| + |im|, as LAPACK's izamax chooses.

#define OWN_ARGUMENTS STEP_ARGUMENTS
#define OPERANDS 2
#define THREADS 32
#define SHARED
#include "linalg/matrices.glsl"
MATRIX(0)

ACLVK_CONSTANTS(STEP_CONSTANTS)
const uint kAll = 0, kPivot = 1, kEliminate = 2;

shared R largest[THREADS];
shared uint places[THREADS];

// Reduces over the work group: all threads return the same row.
uint pivot_row(uvec2 slot, uint a, uint rows, uint first) {
  const uint thread = gl_LocalInvocationID.x;
  R best = R(-1);
  uint place = first;
  for (uint row = first + thread; row < rows; row += THREADS) {  // iterations: make_lu() of ops/linalg/lu.cpp counts those of a step
    const R size = size_of_number(at_0(slot, a + row * rows + first));
    if (size > best) {
      best = size;
      place = row;
    }
  }
  largest[thread] = best;
  places[thread] = place;
  barrier();
  R all = R(-1);
  uint found = first;
  for (uint other = 0; other < THREADS; ++other) {
    const bool better = largest[other] > all || (largest[other] == all && places[other] < found);
    all = better ? largest[other] : all;
    found = better ? places[other] : found;
  }
  return found;
}

void swap_rows(uvec2 slot, uint a, uint rows, uint first, uint second) {
  for (uint column = gl_LocalInvocationID.x; column < rows; column += THREADS) {  // iterations: as above
    const T x = at_0(slot, a + first * rows + column);
    const T y = at_0(slot, a + second * rows + column);
    set_0(slot, a + first * rows + column, y);
    set_0(slot, a + second * rows + column, x);
  }
}

// A pivot of 0 has only zeros below it: nothing is eliminated, and U is singular.
void eliminate(uvec2 slot, uint a, uint rows, uint first, uint groups) {
  const T pivot = at_0(slot, a + first * rows + first);
  const bool regular = pivot != T(0);
  const uint thread = group_number() % groups * THREADS + gl_LocalInvocationID.x;
  for (uint row = first + 1 + thread; row < rows; row += groups * THREADS) {  // iterations: as above
    const T below = at_0(slot, a + row * rows + first);
    const T factor = regular ? div(below, pivot) : below;
    set_0(slot, a + row * rows + first, factor);
    for (uint column = first + 1; column < rows; ++column) {  // iterations: as above
      const T value = at_0(slot, a + row * rows + column);
      set_0(slot, a + row * rows + column, sub(value, mul(factor, at_0(slot, a + first * rows + column))));
    }
  }
}

void main() {
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint count = ACLVK_ARGUMENT(count);
  const uvec2 slot = slot_of(0);
  const uvec2 pivots = slot_of(1);
  const uint begin = ACLVK_ARGUMENT(first_step);
  const uint end = begin + ACLVK_ARGUMENT(steps);
  const uint groups = ACLVK_ARGUMENT(groups);
  const uint matrix = group_number() / groups;
  if (matrix >= count) return;
  const uint a = matrix * rows * rows;
  for (uint first = begin; first < end; ++first) {  // iterations: ranges_of_steps() of ops/linalg
    if (kPhase != kEliminate) {
      const uint row = pivot_row(slot, a, rows, first);
      if (gl_LocalInvocationID.x == 0) set_word_1(pivots, 4 * (matrix * rows + first), row);
      if (row != first) swap_rows(slot, a, rows, first, row);
    }
    sync();
    if (kPhase != kPivot) eliminate(slot, a, rows, first, groups);
    sync();
  }
}
