#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 c64 c128
// x = a^-1 x for triangular a (rows x rows) and x (rows x width): a thread a column of x, which it goes along by itself.
// The kernel takes some of the rows.

#define OPERANDS 2
#define THREADS 64
#include "linalg/matrices.glsl"
MATRIX(0)
MATRIX(1)

layout(constant_id = 0) const uint kUpper = 0;
layout(constant_id = 1) const uint kUnit = 0;  // the diagonal is not read: it is 1

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint width = ACLVK_ARGUMENT(width);
  const uvec2 a_slot = slot_of(0);
  const uvec2 x_slot = slot_of(1);
  const uint first = ACLVK_ARGUMENT(first);
  const uint last = first + ACLVK_ARGUMENT(steps);
  const uint matrix = thread_number() / width;
  if (matrix >= count) return;
  const uint a = matrix * rows * rows;
  const uint x = matrix * rows * width + thread_number() - matrix * width;
  for (uint done = first; done < last; ++done) {  // turns: ranges_of_steps() of ops/linalg
    const uint row = kUpper != 0 ? rows - 1 - done : done;
    T value = at_1(x_slot, x + row * width);
    for (uint other = 0; other < done; ++other) {  // turns: as above
      const uint column = kUpper != 0 ? rows - 1 - other : other;
      value = sub(value, mul(at_0(a_slot, a + row * rows + column), at_1(x_slot, x + column * width)));
    }
    if (kUnit == 0) value = div(value, at_0(a_slot, a + row * rows + row));
    set_1(x_slot, x + row * width, value);
  }
}
