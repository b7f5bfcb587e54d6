#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// The steps before and after the rotations of a blocked Jacobi SVD (gram.comp). Operand 0 is the last R of A = Q1
// R1, R1^T = Q2 R2 (r_rows x kPitch). Operand 1 (lines x `pitch`, padded with zeros) holds that R, whose rows are the
// columns of R^T, and to its right V^T. Operand 2 becomes R^T V and operand 3 V (columns x columns), both with sorted
// columns. Operand 4 (3 x lines): the sorted values, the norm of each column, and the divisor of A (divide.comp).
// Operand 5 (1 x flags): flags of sweeps that rotate. A matrix with an infinity or NaN gets values of NaN.

#include "linalg/svd/svd.args.h"
#define OWN_ARGUMENTS SVD_ROWS_ARGUMENTS
#define OPERANDS 6
#define THREADS 64
#include "linalg/matrices.glsl"
MATRIX(0)
MATRIX(1)
MATRIX(2)
MATRIX(3)
MATRIX(4)
MATRIX(5)

ACLVK_CONSTANTS(SVD_ROWS_CONSTANTS)
const uint kSpread = 0, kSum = 1, kSort = 2;

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uint columns = ACLVK_ARGUMENT(columns);
  const uint flags = ACLVK_ARGUMENT(flags);
  const uint lines = ACLVK_ARGUMENT(lines);  // rows of operand 1
  const uint pitch = ACLVK_ARGUMENT(pitch);
  const uvec2 r_slot = slot_of(0);
  const uint r_rows = ACLVK_ARGUMENT(r_rows);
  const uvec2 lines_slot = slot_of(1);
  const uvec2 product_slot = slot_of(2);
  const uvec2 v_slot = slot_of(3);
  const uvec2 values_slot = slot_of(4);
  const uvec2 flags_slot = slot_of(5);
  const uint threads = kStep == kSpread ? lines * pitch : lines;
  const uint matrix = thread_number() / threads;
  if (matrix >= count) return;
  const uint thread = thread_number() - matrix * threads;
  const uint values = matrix * 3 * lines;
  const uint sizes = values + lines;
  const uint scales = sizes + lines;
  if (kStep == kSpread) {
    const uint line = thread / pitch;
    const uint column = thread - line * pitch;
    const uint beside = pitch / 2;
    T value = T(0);
    if (line < columns) {
      if (column < columns) value = at_0(r_slot, (matrix * r_rows + line) * kPitch + column);
      if (column >= beside) value = T(column - beside == line ? 1 : 0);
    }
    set_1(lines_slot, thread_number(), value);
    const bool finite = !isnan(at_4(values_slot, scales));
    for (uint i = 0; i < flags && thread == 0; ++i) {  // iterations: sweeps, and a pair for each 32 columns
      set_5(flags_slot, matrix * flags + i, T(i == 0 && finite ? 1 : 0));
    }
  }
  const uint start = (matrix * lines + thread) * pitch;
  if (kStep == kSum) {
    T squares = T(0);
    LOOP_OVER(i, 0u, columns, 1u) {
      const T x = at_1(lines_slot, start + i);
      squares += x * x;
    }
    set_4(values_slot, sizes + thread, sqrt(squares));
  }
  if (kStep == kSort) {
    const T scale = at_4(values_slot, scales);
    const T own = at_4(values_slot, sizes + thread);
    uint place = 0;
    LOOP_OVER(other, 0u, lines, 1u) {
      const T theirs = at_4(values_slot, sizes + other);
      if (theirs > own || (theirs == own && other < thread)) ++place;
    }
    if (isnan(scale)) place = thread;
    if (place >= columns) return;
    set_4(values_slot, values + place, own * scale);
    LOOP_OVER(i, 0u, columns, 1u) {
      const uint at = (matrix * columns + i) * columns + place;
      set_2(product_slot, at, at_1(lines_slot, start + i));
      set_3(v_slot, at, at_1(lines_slot, start + pitch / 2 + i));
    }
  }
}
