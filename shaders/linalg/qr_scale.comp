#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// Scales the columns of a matrix (operand 0: rows x `pitch`) so that squares neither overflow nor underflow: divides
// each by the power of two below its largest element, which operand 1 (1 x `pitch`) stores. kBack multiplies the
// columns of R by it again; Q is not affected. The padding beyond `given_rows` rows and `given_columns` columns becomes
// 0. One thread a column.

#include "linalg/qr.args.h"
#define OWN_ARGUMENTS QR_SCALE_ARGUMENTS
#define OPERANDS 2
#define THREADS 64
#include "linalg/matrices.glsl"
MATRIX(0)
MATRIX(1)
#include "linalg/column_scale.glsl"

ACLVK_CONSTANTS(QR_SCALE_CONSTANTS)

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint given_rows = ACLVK_ARGUMENT(given_rows);
  const uint given_columns = ACLVK_ARGUMENT(given_columns);
  const uint pitch = ACLVK_ARGUMENT(pitch);
  const uvec2 slot = slot_of(0);
  const uvec2 scales = slot_of(1);
  const uint matrix = thread_number() / pitch;
  if (matrix >= count) return;
  const uint column = thread_number() - matrix * pitch;
  const uint start = matrix * rows * pitch + column;
  if (kBack) {
    const T scale = at_1(scales, thread_number());
    LOOP_OVER(row, 0u, min(column + 1, rows), 1u) {
      set_0(slot, start + row * pitch, at_0(slot, start + row * pitch) * scale);
    }
    return;
  }
  const uint height = column < given_columns ? given_rows : 0;
  T largest = T(0);
  bool finite = true;
  LOOP_OVER(row, 0u, height, 1u) {
    const T x = at_0(slot, start + row * pitch);
    largest = max(largest, abs(x));
    finite = finite && is_finite(x);
  }
  const T scale = finite ? power_below(largest) : T(1);
  set_1(scales, thread_number(), scale);
  LOOP_OVER(row, 0u, rows, 1u) {
    set_0(slot, start + row * pitch, row < height ? divided(at_0(slot, start + row * pitch), scale) : T(0));
  }
}
