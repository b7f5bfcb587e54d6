#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 c64 c128
// Triangular solve x = a^-1 x for a (rows x rows, row stride `a_pitch`) and `x_columns` columns of x (row stride
// `x_pitch`) from `first_column` on, one thread a column. A kernel solves `steps` rows: of a lower triangle from row
// `first_step` on, of an upper one counted from the last row. It subtracts the products with all rows solved before;
// with kBlock only with those of this kernel, the others have been subtracted.

#include "linalg/substitute.args.h"
#define OWN_ARGUMENTS SUBSTITUTE_ARGUMENTS
#define OPERANDS 2
#define THREADS 64
#include "linalg/matrices.glsl"
MATRIX(0)
MATRIX(1)

ACLVK_CONSTANTS(SUBSTITUTE_CONSTANTS)

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint x_columns = ACLVK_ARGUMENT(x_columns);
  const uint a_pitch = ACLVK_ARGUMENT(a_pitch);
  const uint x_pitch = ACLVK_ARGUMENT(x_pitch);
  const uvec2 a_slot = slot_of(0);
  const uvec2 x_slot = slot_of(1);
  const uint first = ACLVK_ARGUMENT(first_step);
  const uint last = first + ACLVK_ARGUMENT(steps);
  const uint matrix = thread_number() / x_columns;
  if (matrix >= count) return;
  const uint a = matrix * rows * a_pitch;
  const uint x = matrix * rows * x_pitch + ACLVK_ARGUMENT(first_column) + thread_number() - matrix * x_columns;
  const uint begin = kBlock != 0 ? first : 0;
  for (uint done = first; done < last; ++done) {  // iterations: ranges_of_steps() of ops/linalg
    const uint row = kUpper != 0 ? rows - 1 - done : done;
    T value = at_1(x_slot, x + row * x_pitch);
    for (uint other = begin; other < done; ++other) {  // iterations: as above
      const uint column = kUpper != 0 ? rows - 1 - other : other;
      value = sub(value, mul(at_0(a_slot, a + row * a_pitch + column), at_1(x_slot, x + column * x_pitch)));
    }
    if (kUnit == 0) value = div(value, at_0(a_slot, a + row * a_pitch + row));
    set_1(x_slot, x + row * x_pitch, value);
  }
}
