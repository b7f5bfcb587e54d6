#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// Swaps rows (LAPACK laswp) of steps `first` to `first + steps` (operand 1) in `width` columns of a (rows x rows, row
// stride `columns`) from column `from` on. One thread a column.

#define OPERANDS 2
#define THREADS 64
#include "linalg/matrices.glsl"
MATRIX(0)

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint pitch = ACLVK_ARGUMENT(columns);
  const uint width = ACLVK_ARGUMENT(width);
  const uint first = ACLVK_ARGUMENT(first);
  const uint last = first + ACLVK_ARGUMENT(steps);
  const uint from = ACLVK_ARGUMENT(from);
  const uvec2 slot = slot_of(0);
  const uvec2 pivots = slot_of(1);
  const uint matrix = thread_number() / width;
  if (matrix >= count) return;
  const uint a = matrix * rows * pitch + from + thread_number() - matrix * width;
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
