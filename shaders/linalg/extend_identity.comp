#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// Operand 1 (rows x width) becomes an identity matrix whose leading columns x columns block is that of operand 0 (steps
// x pitch). One thread an element.

#define OPERANDS 2
#define THREADS 64
#include "linalg/matrices.glsl"
MATRIX(0)
MATRIX(1)

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint columns = ACLVK_ARGUMENT(columns);
  const uint width = ACLVK_ARGUMENT(width);
  const uint pitch = ACLVK_ARGUMENT(pitch);
  const uint given_rows = ACLVK_ARGUMENT(steps);
  const uvec2 given = slot_of(0);
  const uvec2 slot = slot_of(1);
  const uint matrix = thread_number() / (rows * width);
  if (matrix >= count) return;
  const uint element = thread_number() - matrix * rows * width;
  const uint row = element / width;
  const uint column = element - row * width;
  T value = T(row == column ? 1 : 0);
  if (row < columns && column < columns) value = at_0(given, (matrix * given_rows + row) * pitch + column);
  set_1(slot, thread_number(), value);
}
