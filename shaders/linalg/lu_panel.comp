#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// P a = L U of a panel: `steps` columns (16 at most) of a (rows x rows, row stride `pitch`) from `first_step` on, rows
// from `first_step` on; one work group a matrix. Rows are swapped within the panel only; lu_swap.comp swaps the other
// columns. Operand 1 is that of lu.comp. A thread has every 16th row of the panel. It reads and writes a row as two
// vec8, subtracts its multiple of the pivot row, and searches the next pivot in the same pass.

#include "linalg/lu.args.h"
#define OWN_ARGUMENTS LU_PANEL_ARGUMENTS
#define OPERANDS 2
#define THREADS 16
#define SHARED
#include "linalg/matrices.glsl"
MATRIX(0)
VEC8(0)

const uint kWidth = 16;

shared R largest[THREADS];
shared uint places[THREADS];

T line[kWidth];
T pivots_line[kWidth];

void load_line(uvec2 slot, uint at) {
  T vec8[8] = vec8_at_0(slot, at);
  [[unroll]] for (uint j = 0; j < 8; ++j) line[j] = vec8[j];
  vec8 = vec8_at_0(slot, at + 8);
  [[unroll]] for (uint j = 0; j < 8; ++j) line[8 + j] = vec8[j];
}

void store_line(uvec2 slot, uint at) {
  T vec8[8];
  [[unroll]] for (uint j = 0; j < 8; ++j) vec8[j] = line[j];
  set_vec8_0(slot, at, vec8);
  [[unroll]] for (uint j = 0; j < 8; ++j) vec8[j] = line[8 + j];
  set_vec8_0(slot, at + 8, vec8);
}

T element_of_line(uint column) {
  T found = line[0];
  [[unroll]] for (uint j = 1; j < kWidth; ++j) found = j == column ? line[j] : found;
  return found;
}

// Reduces over the work group: the first row with the largest element.
uint pivot_of(uint first) {
  R all = R(-1);
  uint found = first;
  for (uint other = 0; other < THREADS; ++other) {
    const bool better = largest[other] > all || (largest[other] == all && places[other] < found);
    all = better ? largest[other] : all;
    found = better ? places[other] : found;
  }
  return found;
}

void main() {
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint count = ACLVK_ARGUMENT(count);
  const uint pitch = ACLVK_ARGUMENT(pitch);
  const uint first = ACLVK_ARGUMENT(first_step);
  const uint steps = ACLVK_ARGUMENT(steps);
  const uvec2 slot = slot_of(0);
  const uvec2 pivots = slot_of(1);
  const uint matrix = group_number();
  if (matrix >= count) return;
  const uint a = matrix * rows * pitch + first;
  const uint thread = gl_LocalInvocationID.x;
  R best = R(-1);
  uint place = first;
  for (uint row = first + thread; row < rows; row += THREADS) {  // iterations: below 1500 for squares of 2 GiB, and 17 times
    const R size = size_of_number(at_0(slot, a + row * pitch));
    place = size > best ? row : place;
    best = size > best ? size : best;
  }
  for (uint step = 0; step < steps; ++step) {  // iterations: kWidth
    const uint top = first + step;
    largest[thread] = best;
    places[thread] = place;
    sync();
    const uint pivot_row = pivot_of(top);
    if (thread == 0) set_word_1(pivots, 4 * (matrix * rows + top), pivot_row);
    if (pivot_row != top) {
      const T x = at_0(slot, a + top * pitch + thread);
      const T y = at_0(slot, a + pivot_row * pitch + thread);
      set_0(slot, a + top * pitch + thread, y);
      set_0(slot, a + pivot_row * pitch + thread, x);
    }
    sync();
    load_line(slot, a + top * pitch);
    const T pivot = element_of_line(step);
    const bool regular = pivot != T(0);  // else all elements below are 0
    [[unroll]] for (uint j = 0; j < kWidth; ++j) pivots_line[j] = line[j];
    best = R(-1);
    place = top + 1;
    for (uint row = top + 1 + thread; row < rows; row += THREADS) {  // iterations: as above
      load_line(slot, a + row * pitch);
      const T below = element_of_line(step);
      const T factor = regular ? div(below, pivot) : below;
      [[unroll]] for (uint j = 0; j < kWidth; ++j) {
        line[j] = j > step ? sub(line[j], mul(factor, pivots_line[j])) : j == step ? factor : line[j];
      }
      store_line(slot, a + row * pitch);
      // The next step's column is complete now: its pivot needs no pass of its own.
      const R size = size_of_number(element_of_line(step + 1));
      place = size > best ? row : place;
      best = size > best ? size : best;
    }
  }
}
