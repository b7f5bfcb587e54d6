#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// Swaps rows (LAPACK laswp) of steps `first_step` to `first_step + steps` (operand 1) in `swapped_columns` columns of a
// (rows x rows, row stride `pitch`) from `first_column` on. One thread a column.

#include "linalg/lu.args.h"
#define OWN_ARGUMENTS LU_SWAP_ARGUMENTS
#define OPERANDS 2
#define THREADS 64
#include "linalg/matrices.glsl"
MATRIX(0)

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint pitch = ACLVK_ARGUMENT(pitch);
  const uint swapped_columns = ACLVK_ARGUMENT(swapped_columns);
  const uint first = ACLVK_ARGUMENT(first_step);
  const uint last = first + ACLVK_ARGUMENT(steps);
  const uint first_column = ACLVK_ARGUMENT(first_column);
  const uvec2 slot = slot_of(0);
  const uvec2 pivots = slot_of(1);
  const uint matrix = thread_number() / swapped_columns;
  if (matrix >= count) return;
  const uint a = matrix * rows * pitch + first_column + thread_number() - matrix * swapped_columns;
  for (uint row = first; row < last; ++row) {  // iterations: squares of 2 GiB have at most 23170 rows
    const uint other = word_1(pivots, 4 * (matrix * rows + row));
    if (other != row) {
      const T x = at_0(slot, a + row * pitch);
      const T y = at_0(slot, a + other * pitch);
      set_0(slot, a + row * pitch, y);
      set_0(slot, a + other * pitch, x);
    }
  }
}
