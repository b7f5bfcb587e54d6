#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 c64 c128
// From the factors and pivots of lu.comp: the sign (phase) of the determinant (operand 2), and the logarithm of its
// absolute value, or of the determinant itself (operand 3). One thread a matrix.

#extension GL_EXT_control_flow_attributes : enable
#include "linalg/determinant.args.h"
#define OWN_ARGUMENTS DETERMINANT_ARGUMENTS
#define OPERANDS 4
#define THREADS 64
#include "linalg/matrices.glsl"
MATRIX(0)
MATRIX(2)
MATRIX(3)
#include "common/math/complex.glsl"

ACLVK_CONSTANTS(DETERMINANT_CONSTANTS)

R log_size_of(T x) {
#if COMPLEX_CLASS
  return log_magnitude_of(x);
#else
  return log_of(abs(x));
#endif
}

T log_of_whole(T sign, R log_size) {
#if COMPLEX_CLASS
  return T(log_size, angle_of(sign));
#else
  return sign < T(0) ? not_a_number() : log_size;
#endif
}

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint pitch = ACLVK_ARGUMENT(pitch);
  const uvec2 a_slot = slot_of(0);
  const uvec2 pivots = slot_of(1);
  const uvec2 signs = slot_of(2);
  const uvec2 logs = slot_of(3);
  const uint matrix = thread_number();
  if (matrix >= count) return;
  T sign = one();
  R log_size = R(0);
  for (uint row = 0; row < rows; ++row) {  // iterations: squares of 2 GiB have at most 23170 rows
    const T pivot = at_0(a_slot, (matrix * rows + row) * pitch + row);
    const T part = sign_of(pivot);
    sign = mul(sign, word_1(pivots, 4 * (matrix * rows + row)) == row ? part : neg_of(part));
    log_size += log_size_of(pivot);
  }
  set_2(signs, matrix, sign);
  set_3(logs, matrix, kWhole != 0 ? log_of_whole(sign, log_size) : real_number(log_size));
}
