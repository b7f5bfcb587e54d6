#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 c64 c128
// Copies R (operand 2, r_rows x columns) from what qr.comp left. One thread an element.

#include "linalg/qr.args.h"
#define OWN_ARGUMENTS QR_R_ARGUMENTS
#define OPERANDS 3
#define THREADS 64
#include "linalg/matrices.glsl"
MATRIX(0)
MATRIX(1)
MATRIX(2)

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint columns = ACLVK_ARGUMENT(columns);
  const uint r_rows = ACLVK_ARGUMENT(r_rows);
  const uint steps = min(rows, columns);
  const uvec2 a_slot = slot_of(0);
  const uvec2 reflections = slot_of(1);
  const uvec2 r_slot = slot_of(2);
  const uint element = thread_number();
  const uint matrix = element / (r_rows * columns);
  if (matrix >= count) return;
  const uint rest = element - matrix * r_rows * columns;
  const uint row = rest / columns;
  const uint column = rest - row * columns;
  T value = T(0);
  if (column == row) value = at_1(reflections, (matrix * steps + row) * 3);
  if (column > row) value = at_0(a_slot, (matrix * rows + row) * columns + column);
  set_2(r_slot, element, value);
}
