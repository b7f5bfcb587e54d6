#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 c64 c128
// The steps before and after the rotations of a one-sided Jacobi SVD (rotate.comp), one thread a column of A (rows
// x columns, rows >= columns). Operand 0 is A^T (columns x rows), so that a column is contiguous. Operand 1 becomes
// V^T, operand 2 A V (rows x columns), operand 3 V, the latter two with sorted columns. Operand 4 (3 x columns): the
// sorted values, the norm of each column, and the divisor of A. Operand 5 (1 x flags): a flag for each sweep, whether
// the one before it rotated. A matrix with an infinity or NaN gets values of NaN.

#include "linalg/svd/svd.args.h"
#define OWN_ARGUMENTS SVD_COLUMNS_ARGUMENTS
#define OPERANDS 6
#define THREADS 64
#include "linalg/matrices.glsl"
MATRIX(0)
MATRIX(1)
MATRIX(2)
MATRIX(3)
MATRIX(4)
MATRIX(5)

ACLVK_CONSTANTS(SVD_COLUMNS_CONSTANTS)
const uint kMeasure = 0, kPrepare = 1, kSum = 2, kSort = 3;

#include "linalg/column_scale.glsl"

R square_of(T x) {
  const R re = real_part(x);
  const R im = imaginary_part(x);
  return re * re + im * im;
}

// The largest absolute value of a column; -1 where an element is not finite.
R largest_of(uvec2 slot, uint start, uint rows) {
  R largest = R(0);
  bool finite = true;
  LOOP_OVER(i, 0u, rows, 1u) {
    const T x = at_0(slot, start + i);
    largest = max(largest, size_of_number(x));
    finite = finite && is_finite(real_part(x)) && is_finite(imaginary_part(x));
  }
  return finite ? largest : R(-1);
}

R norm_of(uvec2 slot, uint start, uint rows) {
  R squares = R(0);
  LOOP_OVER(i, 0u, rows, 1u) squares += square_of(at_0(slot, start + i));
  return sqrt(squares);
}

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint columns = ACLVK_ARGUMENT(columns);
  const uint flags = ACLVK_ARGUMENT(flags);
  const uvec2 a_slot = slot_of(0);
  const uvec2 v_slot = slot_of(1);
  const uvec2 w_slot = slot_of(2);
  const uvec2 sorted_slot = slot_of(3);
  const uvec2 values_slot = slot_of(4);
  const uvec2 flags_slot = slot_of(5);
  const uint matrix = thread_number() / columns;
  if (matrix >= count) return;
  const uint column = thread_number() - matrix * columns;
  const uint start = matrix * rows * columns + column * rows;
  const uint v_start = matrix * columns * columns + column * columns;
  const uint values = matrix * 3 * columns;
  const uint sizes = values + columns;
  const uint scales = sizes + columns;
  if (kStep == kMeasure) set_4(values_slot, sizes + column, real_number(largest_of(a_slot, start, rows)));
  if (kStep == kPrepare) {
    R largest = R(0);
    bool finite = true;
    LOOP_OVER(other, 0u, columns, 1u) {
      const R size = real_part(at_4(values_slot, sizes + other));
      largest = max(largest, size);
      finite = finite && size >= R(0);
    }
    const R scale = power_below(largest);  // a power of two, so the division is exact
    set_4(values_slot, scales + column, real_number(finite ? scale : R(uintBitsToFloat(0x7FC00000u))));
    LOOP_OVER(i, 0u, rows, 1u) {
      const T x = at_0(a_slot, start + i) / scale;
      set_0(a_slot, start + i, kConjugates ? conjugated(x) : x);
    }
    if (kVectors) LOOP_OVER(i, 0u, columns, 1u) set_1(v_slot, v_start + i, real_number(i == column ? R(1) : R(0)));
    for (uint i = 0; i < flags && column == 0; ++i) {  // iterations: sweeps
      set_5(flags_slot, matrix * flags + i, real_number(i == 0 && finite ? R(1) : R(0)));
    }
  }
  if (kStep == kSum) set_4(values_slot, sizes + column, real_number(norm_of(a_slot, start, rows)));
  if (kStep == kSort) {
    const R scale = real_part(at_4(values_slot, scales + column));
    const R own = real_part(at_4(values_slot, sizes + column));
    uint place = 0;
    LOOP_OVER(other, 0u, columns, 1u) {
      const R theirs = real_part(at_4(values_slot, sizes + other));
      if (theirs > own || (theirs == own && other < column)) ++place;
    }
    if (isnan(scale)) place = column;
    set_4(values_slot, values + place, real_number(own * scale));
    if (kVectors) LOOP_OVER(i, 0u, rows, 1u) {
      set_2(w_slot, matrix * rows * columns + i * columns + place, at_0(a_slot, start + i));
    }
    if (kVectors) LOOP_OVER(i, 0u, columns, 1u) {
      set_3(sorted_slot, matrix * columns * columns + i * columns + place, at_1(v_slot, v_start + i));
    }
  }
}
