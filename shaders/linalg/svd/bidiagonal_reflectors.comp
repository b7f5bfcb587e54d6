#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// Runs between two passes of bidiagonal.comp, one work group a matrix. From row r of the step before it makes the right
// reflector I - sigma v v^T, v = (r - beta e) / (r_1 - beta), and x = sigma (A - u y^T) v from the partial products A
// r; then it updates column `step` and makes its left reflector. Operands 0 to 4 are those of the pass, which had
// `pass_groups` work groups. Operand 5 (1 x 2 columns) receives the bidiagonal: d e d e ... Step 0 only makes the left
// reflector.

#include "linalg/svd/bidiagonal.args.h"
#define OWN_ARGUMENTS BIDIAGONAL_REFLECTORS_ARGUMENTS
#define OPERANDS 6
#include "linalg/matrices.glsl"
#include "linalg/svd/bidiagonal.glsl"
MATRIX(0)
MATRIX(1)
MATRIX(2)
MATRIX(3)
MATRIX(4)
MATRIX(5)

// The largest element is 1 or more (divide.comp). Squares whose sum is below this have lost their digits to
// underflow, and the sum counts as 0.
#if WIDE_FLOATS
const T kSafeMin = T(1e-270lf);
#else
const T kSafeMin = T(1e-30);
#endif

shared T sums[2 * kMaxThreads];

// Sums x and y over the work group.
T[2] all_of(T x, T y) {
  sums[2 * gl_LocalInvocationID.x] = x;
  sums[2 * gl_LocalInvocationID.x + 1] = y;
  barrier();
  T all[2] = T[2](T(0), T(0));
  for (uint other = 0; other < gl_WorkGroupSize.x; ++other) {  // iterations: kMaxThreads
    all[0] += sums[2 * other];
    all[1] += sums[2 * other + 1];
  }
  barrier();
  return all;
}

// The first element of a reflected vector, whose other elements become 0: -sign(x) * norm. `squares` is the sum of the
// squares of the other elements.
T reflected(T given, T squares) {
  if (squares <= kSafeMin) return given;
  const T norm = sqrt(given * given + squares);
  return given < T(0) ? norm : -norm;
}

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint columns = ACLVK_ARGUMENT(columns);
  const uint step = ACLVK_ARGUMENT(step);
  const uint stored_rows = ACLVK_ARGUMENT(stored_rows);
  const uint pass_groups = ACLVK_ARGUMENT(pass_groups);
  const uint max_groups = ACLVK_ARGUMENT(max_groups);
  const uint pitch = ACLVK_ARGUMENT(pitch);
  const uvec2 slot = slot_of(0);
  const uvec2 column_vectors = slot_of(1);
  const uvec2 row_vectors = slot_of(2);
  const uvec2 scales = slot_of(3);
  const uvec2 parts = slot_of(4);
  const uvec2 bidiagonal = slot_of(5);
  const uint matrix = group_number();
  if (matrix >= count) return;
  const uint thread = gl_LocalInvocationID.x;
  const uint threads = gl_WorkGroupSize.x;
  const uint u_now = (3 * matrix + (step & 1u)) * rows;
  const uint u_before = (3 * matrix + 1 - (step & 1u)) * rows;
  const uint x_at = (3 * matrix + 2) * rows;
  const uint scales_at = matrix * kScales;
  const uint y_at = 2 * matrix * pitch;
  const uint a = matrix * stored_rows * pitch + step;
  const bool begins = step == 0;
  T beta = T(0);
  T by = T(0);  // sigma / (r_1 - beta) = -1 / beta
  T v_scale = T(0);
  T y_first = T(0);
  T along = T(0);  // y^T (r - beta e)
  T u_scale_before = T(0);
  if (begins) {
    for (uint j = thread; j < 2 * pitch; j += threads) set_2(row_vectors, y_at + j, T(0));  // iterations: bidiagonalize() of ops/linalg/svd/values.cpp counts them
  } else {
    u_scale_before = at_3(scales, scales_at + kUScale + 1 - (step & 1u));
    T squares = T(0);
    for (uint j = step + 1 + thread; j < columns; j += threads) {  // iterations: as above
      const T r = at_2(row_vectors, y_at + pitch + j);
      squares += r * r;
      along += r * at_2(row_vectors, y_at + j);
    }
    const T all[2] = all_of(squares, along);
    const T given = at_2(row_vectors, y_at + pitch + step);
    y_first = at_2(row_vectors, y_at + step);
    beta = reflected(given, all[0]);
    along = all[1] + (given - beta) * y_first;
    if (!(all[0] <= kSafeMin)) {
      v_scale = T(1) / (given - beta);
      by = T(-1) / beta;
    }
  }
  T top = T(0);  // set in thread 0
  T squares = T(0);
  for (uint row = step + thread; row < rows; row += threads) {  // iterations: as above
    T c = at_0(slot, a + row * pitch);
    T x = T(0);
    if (begins) {
      set_1(column_vectors, u_before + row, T(0));
    } else {
      T sum = T(0);
      for (uint group = 0; group < pass_groups; ++group) sum += at_4(parts, (matrix * max_groups + group) * rows + row);  // iterations: as above
      const T u = u_scale_before * at_1(column_vectors, u_before + row);
      x = by * ((sum - beta * c) - u * along);
      c -= u * y_first + x;
    }
    set_1(column_vectors, x_at + row, x);
    set_1(column_vectors, u_now + row, c);
    if (row == step) {
      top = c;
    } else {
      squares += c * c;
    }
  }
  squares = all_of(squares, T(0))[0];
  if (thread > 0) return;
  const T diagonal = reflected(top, squares);
  const bool reflects = !(squares <= kSafeMin);
  set_3(scales, scales_at + kUScale + (step & 1u), reflects ? T(1) / (top - diagonal) : T(0));
  if (begins) set_3(scales, scales_at + kUScale + 1, T(0));
  set_3(scales, scales_at + kVScale, v_scale);
  set_3(scales, scales_at + kTau, reflects ? (diagonal - top) / diagonal : T(0));
  set_5(bidiagonal, 2 * (matrix * columns + step), diagonal);
  if (!begins) set_5(bidiagonal, 2 * (matrix * columns + step) - 1, beta);
}
