#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// a = L L^T in place of a (rows x rows), left-looking: one work group a matrix, or several in phase kSubtract. Reads
// the lower triangle and writes 0 above the diagonal. Where a is not positive definite the result has NaN from that
// column on.

#define OWN_ARGUMENTS STEP_ARGUMENTS
#define OPERANDS 2
#define THREADS 32
#define SHARED
#include "linalg/matrices.glsl"
MATRIX(0)

ACLVK_CONSTANTS(STEP_CONSTANTS)
const uint kAll = 0, kSubtract = 1, kDivide = 2;

// The element of a column less the dot product of its row and the column's row of L.
T remainder_at(uvec2 slot, uint a, uint rows, uint row, uint column) {
  T value = at_0(slot, a + row * rows + column);
  for (uint k = 0; k < column; ++k) {  // iterations: ops/linalg/cholesky.cpp counts those of a step
    value = sub(value, mul(at_0(slot, a + row * rows + k), at_0(slot, a + column * rows + k)));
  }
  return value;
}

void main() {
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint count = ACLVK_ARGUMENT(count);
  const uvec2 slot = slot_of(0);
  const uint first = ACLVK_ARGUMENT(first_step);
  const uint last = first + ACLVK_ARGUMENT(steps);
  const uint groups = ACLVK_ARGUMENT(groups);
  const uint threads = groups * THREADS;
  const uint matrix = group_number() / groups;
  const uint thread = group_number() % groups * THREADS + gl_LocalInvocationID.x;
  if (matrix >= count) return;
  const uint a = matrix * rows * rows;
  for (uint column = first; column < last; ++column) {  // iterations: ranges_of_steps() of ops/linalg
    for (uint row = column + thread; row < rows && kPhase != kDivide; row += threads) {  // iterations: ops/linalg/cholesky.cpp counts those of a step
      set_0(slot, a + row * rows + column, remainder_at(slot, a, rows, row, column));
    }
    sync();
    if (kPhase != kSubtract) {
      const T square = at_0(slot, a + column * rows + column);
      const T root = square > T(0) ? sqrt(square) : uintBitsToFloat(0x7FC00000u);
      sync();
      for (uint row = column + thread; row < rows; row += threads) {  // iterations: as above
        const T value = row == column ? root : div(at_0(slot, a + row * rows + column), root);
        set_0(slot, a + row * rows + column, value);
      }
      for (uint row = thread; row < column; row += threads) {  // iterations: as above
        set_0(slot, a + row * rows + column, T(0));
      }
      sync();
    }
  }
}
