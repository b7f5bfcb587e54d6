#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// Operand 1 (rows x columns) becomes an identity matrix whose leading core_size x core_size block is that of operand 0
// (core_rows x core_pitch). One thread an element.

#include "linalg/extend_identity.args.h"
#define OWN_ARGUMENTS EXTEND_IDENTITY_ARGUMENTS
#define OPERANDS 2
#define THREADS 64
#include "linalg/matrices.glsl"
MATRIX(0)
MATRIX(1)

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint core_size = ACLVK_ARGUMENT(core_size);
  const uint columns = ACLVK_ARGUMENT(columns);
  const uint core_pitch = ACLVK_ARGUMENT(core_pitch);
  const uint core_rows = ACLVK_ARGUMENT(core_rows);
  const uvec2 given = slot_of(0);
  const uvec2 slot = slot_of(1);
  const uint matrix = thread_number() / (rows * columns);
  if (matrix >= count) return;
  const uint element = thread_number() - matrix * rows * columns;
  const uint row = element / columns;
  const uint column = element - row * columns;
  T value = T(row == column ? 1 : 0);
  if (row < core_size && column < core_size) value = at_0(given, (matrix * core_rows + row) * core_pitch + column);
  set_1(slot, thread_number(), value);
}
