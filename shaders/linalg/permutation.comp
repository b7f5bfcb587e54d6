#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// x = the permutation matrix (rows x rows, row stride `pitch`) of the row swaps of lu.comp (operand 0). One thread a
// column.

#include "linalg/lu.args.h"
#define OWN_ARGUMENTS PERMUTATION_ARGUMENTS
#define OPERANDS 2
#define THREADS 64
#include "linalg/matrices.glsl"
MATRIX(1)

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint pitch = ACLVK_ARGUMENT(pitch);
  const uvec2 pivots = slot_of(0);
  const uvec2 x_slot = slot_of(1);
  const uint matrix = thread_number() / rows;
  if (matrix >= count) return;
  const uint column = thread_number() - matrix * rows;
  uint place = column;
  for (uint first = 0; first < rows; ++first) {  // iterations: squares of 2 GiB have at most 23170 rows
    const uint row = word_0(pivots, 4 * (matrix * rows + first));
    // Follows one row of the identity through all swaps.
    place = place == first ? row : place == row ? first : place;
  }
  for (uint row = 0; row < rows; ++row) {  // iterations: as above
    set_1(x_slot, (matrix * rows + row) * pitch + column, row == place ? T(1) : T(0));
  }
}
