#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// Divides a matrix (operand 0, rows x columns) by a power of two, so that squares neither overflow nor underflow.
// kMeasures: row 1 of operand 1 (3 x `values_pitch`) receives the largest absolute value of each column. Else: row 2
// receives the divisor, NaN if the matrix has an infinity or NaN. One thread a column.

#include "linalg/svd/svd.args.h"
#define OWN_ARGUMENTS SVD_DIVIDE_ARGUMENTS
#define OPERANDS 2
#define THREADS 64
#include "linalg/matrices.glsl"
MATRIX(0)
MATRIX(1)

ACLVK_CONSTANTS(SVD_DIVIDE_CONSTANTS)
#include "linalg/column_scale.glsl"

// The largest absolute value of a column; -1 where an element is not finite.
T largest_of(uvec2 slot, uint start, uint rows, uint columns) {
  T largest = T(0);
  bool finite = true;
  LOOP_OVER(i, 0u, rows, 1u) {
    const T x = at_0(slot, start + i * columns);
    largest = max(largest, abs(x));
    finite = finite && is_finite(x);
  }
  return finite ? largest : T(-1);
}

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint columns = ACLVK_ARGUMENT(columns);
  const uint values_pitch = ACLVK_ARGUMENT(values_pitch);
  const uvec2 slot = slot_of(0);
  const uvec2 values = slot_of(1);
  const uint matrix = thread_number() / columns;
  if (matrix >= count) return;
  const uint thread = thread_number() - matrix * columns;
  const uint sizes = (3 * matrix + 1) * values_pitch;
  const uint start = matrix * rows * columns + thread;
  if (kMeasures) {
    set_1(values, sizes + thread, largest_of(slot, start, rows, columns));
    return;
  }
  T largest = T(0);
  bool finite = true;
  LOOP_OVER(other, 0u, columns, 1u) {
    const T size = at_1(values, sizes + other);
    largest = max(largest, size);
    finite = finite && size >= T(0);
  }
  const T scale = power_below(largest);  // a power of two, so the division is exact
  set_1(values, sizes + values_pitch + thread, finite ? scale : T(uintBitsToFloat(0x7FC00000u)));
  LOOP_OVER(i, 0u, rows, 1u) set_0(slot, start + i * columns, divided(at_0(slot, start + i * columns), scale));
}
