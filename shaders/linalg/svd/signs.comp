#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 c64 c128
// The last step of an SVD: W = A V has been decomposed into Q R (qr.comp), where R is diagonal and real up to rounding.
// Columns of V (operand 2, v_size x v_size) take the signs of R's diagonal, so that Q diag(values) V^H is the matrix.
// Operand 1 has the diagonal in every kStep-th of the kSize elements of a matrix. Where the values (operand 3, 3 x
// values_pitch) are NaN, V and Q (operand 0, q_rows x q_columns) become NaN. One thread an element of both.

#include "linalg/svd/svd.args.h"
#define OWN_ARGUMENTS SVD_SIGNS_ARGUMENTS
#define OPERANDS 4
#define THREADS 64
#include "linalg/matrices.glsl"
MATRIX(0)
MATRIX(1)
MATRIX(2)
MATRIX(3)

ACLVK_CONSTANTS(SVD_SIGNS_CONSTANTS)

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uint q_rows = ACLVK_ARGUMENT(q_rows);
  const uint v_size = ACLVK_ARGUMENT(v_size);
  const uint q_columns = ACLVK_ARGUMENT(q_columns);
  const uvec2 q_slot = slot_of(0);
  const uvec2 diagonal = slot_of(1);
  const uvec2 v_slot = slot_of(2);
  const uvec2 values = slot_of(3);
  const uint elements = q_rows * q_columns;  // V has at most as many
  const uint matrix = thread_number() / elements;
  if (matrix >= count) return;
  const uint element = thread_number() - matrix * elements;
  const R value = real_part(at_3(values, matrix * 3 * ACLVK_ARGUMENT(values_pitch)));
  const bool broken = isnan(value);
  if (broken) set_0(q_slot, matrix * elements + element, real_number(value));
  if (!kSigns || element >= v_size * v_size) return;
  const uint at = matrix * v_size * v_size + element;
  const bool negative = real_part(at_1(diagonal, matrix * kSize + element % v_size * kStep)) < R(0);
  const T x = at_2(v_slot, at);
  set_2(v_slot, at, broken ? real_number(value) : negative ? -x : x);
}
