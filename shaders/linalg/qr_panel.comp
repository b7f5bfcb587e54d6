#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// Householder QR of a panel in compact WY form: 16 columns of a (operand 0: rows x `pitch`) from row and column
// `first_column` on, one work group a matrix. The product of the reflectors is I - V T V^T (R. Schreiber and C. Van
// Loan, A Storage-Efficient WY Representation for Products of Householder Transformations, 1989). V, with ones on its
// diagonal and zeros above, goes to the panel's columns of operand 1 (rows x `v_pitch`), the upper triangular T to 16
// rows of operand 2 (`v_pitch` x 16). R replaces the panel, with zeros below. Signs are LAPACK's. A step makes one pass
// over the rows: it applies one reflector and computes the products of the next column with all columns of the panel.

#include "linalg/qr.args.h"
#define OWN_ARGUMENTS QR_PANEL_ARGUMENTS
#define OPERANDS 3
#define SHARED
#include "linalg/matrices.glsl"
MATRIX(0)
MATRIX(1)
MATRIX(2)
VEC8(0)
VEC8(1)

const uint kWidth = 16;
const uint kMaxThreads = 128;  // of a group

// The largest element of a column was 1 or more (qr_scale.comp). Squares whose sum is below this have lost their digits
// to underflow: elements below the diagonal are rounding errors and count as 0.
#if WIDE_FLOATS
const T kSafeMin = T(1e-270lf);
#else
const T kSafeMin = T(1e-30);
#endif

shared T sums[kMaxThreads * kWidth];
shared T products[kWidth];
shared T triangle[kWidth * kWidth];

T line[kWidth];
T along[kWidth];
T own[kWidth];  // partial sums of the thread

void load_line(uvec2 slot, uint at) {
  T vec8[8] = vec8_at_0(slot, at);
  [[unroll]] for (uint j = 0; j < 8; ++j) line[j] = vec8[j];
  vec8 = vec8_at_0(slot, at + 8);
  [[unroll]] for (uint j = 0; j < 8; ++j) line[8 + j] = vec8[j];
}

void store_line(uvec2 slot, uint at) {
  T vec8[8];
  [[unroll]] for (uint j = 0; j < 8; ++j) vec8[j] = line[j];
  set_vec8_0(slot, at, vec8);
  [[unroll]] for (uint j = 0; j < 8; ++j) vec8[j] = line[8 + j];
  set_vec8_0(slot, at + 8, vec8);
}

T element_of_line(uint column) {
  T found = line[0];
  [[unroll]] for (uint j = 1; j < kWidth; ++j) found = j == column ? line[j] : found;
  return found;
}

void add_line(T by) {
  [[unroll]] for (uint j = 0; j < kWidth; ++j) own[j] += by * line[j];
}

// Sums over the work group into `products`; also makes the stores of all threads visible.
void share_sums() {
  const uint thread = gl_LocalInvocationID.x;
  [[unroll]] for (uint j = 0; j < kWidth; ++j) sums[thread * kWidth + j] = own[j];
  [[unroll]] for (uint j = 0; j < kWidth; ++j) own[j] = T(0);
  sync();
  for (uint j = thread; j < kWidth; j += gl_WorkGroupSize.x) {
    T all = T(0);
    for (uint other = 0; other < gl_WorkGroupSize.x; ++other) all += sums[other * kWidth + j];  // iterations: kMaxThreads
    products[j] = all;
  }
  barrier();
}

// Column `step` of T (LAPACK larft). `along` holds the products of the new reflector with the columns of V before it.
void add_to_triangle(uint step, T tau) {
  for (uint row = gl_LocalInvocationID.x; row < kWidth; row += gl_WorkGroupSize.x) {
    T sum = T(0);
    [[unroll]] for (uint k = 0; k < kWidth; ++k) {
      if (k >= row && k < step) sum += triangle[row * kWidth + k] * along[k];
    }
    triangle[row * kWidth + step] = row < step ? -tau * sum : row == step ? tau : T(0);
  }
}

// Splits a row into V and R.
void split_line(uvec2 slot, uvec2 v_slot, uint at, uint v_at, uint place) {
  load_line(slot, at);
  T vec8[8];
  [[unroll]] for (uint half_line = 0; half_line < kWidth; half_line += 8) {
    [[unroll]] for (uint j = 0; j < 8; ++j) {
      const uint column = half_line + j;
      vec8[j] = place > column ? line[column] : place == column ? T(1) : T(0);
    }
    set_vec8_1(v_slot, v_at + half_line, vec8);
  }
  [[unroll]] for (uint j = 0; j < kWidth; ++j) line[j] = place > j ? T(0) : line[j];
  store_line(slot, at);
}

void main() {
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint count = ACLVK_ARGUMENT(count);
  const uint pitch = ACLVK_ARGUMENT(pitch);
  const uint v_pitch = ACLVK_ARGUMENT(v_pitch);
  const uint first_column = ACLVK_ARGUMENT(first_column);
  const uvec2 slot = slot_of(0);
  const uvec2 v_slot = slot_of(1);
  const uvec2 t_slot = slot_of(2);
  const uint thread = gl_LocalInvocationID.x;
  const uint threads = gl_WorkGroupSize.x;
  const uint matrix = group_number();
  if (matrix >= count) return;
  const uint a = matrix * rows * pitch + first_column;
  const uint v = matrix * rows * v_pitch + first_column;
  [[unroll]] for (uint j = 0; j < kWidth; ++j) own[j] = T(0);
  for (uint row = first_column + 1 + thread; row < rows; row += threads) {  // iterations: threads_of_panel() of ops/linalg/qr_blocks.cpp, and 18 times
    load_line(slot, a + row * pitch);
    add_line(line[0]);
  }
  for (uint step = 0; step < kWidth; ++step) {
    const uint top = first_column + step;
    share_sums();
    T scale = T(0);
    T tau = T(0);
    if (top < rows) {
      load_line(slot, a + top * pitch);
      const T given = element_of_line(step);
      const T below = products[step];
      T diagonal = given;
      // H = I - 2 e e^T only changes the sign of the diagonal: v is e, as the elements below count as 0.
      if (below != T(0) && below <= kSafeMin) {
        diagonal = -given;
        tau = T(2);
      } else if (below != T(0)) {
        const T norm = sqrt(given * given + below);
        diagonal = given < T(0) ? norm : -norm;
        tau = (diagonal - given) / diagonal;
        scale = T(1) / (given - diagonal);
      }
      [[unroll]] for (uint j = 0; j < kWidth; ++j) along[j] = line[j] + scale * products[j];
      [[unroll]] for (uint j = 0; j < kWidth; ++j) line[j] = j > step ? line[j] - tau * along[j] : j == step ? diagonal : line[j];
    }
    add_to_triangle(step, tau);
    sync();
    if (thread == 0 && top < rows) store_line(slot, a + top * pitch);
    for (uint row = top + 1 + thread; row < rows; row += threads) {  // iterations: as above
      load_line(slot, a + row * pitch);
      const T x = element_of_line(step) * scale;
      const T by = tau * x;
      [[unroll]] for (uint j = 0; j < kWidth; ++j) line[j] = j > step ? line[j] - by * along[j] : j == step ? x : line[j];
      store_line(slot, a + row * pitch);
      if (row > top + 1) add_line(element_of_line(step + 1));
    }
  }
  sync();
  for (uint row = first_column + thread; row < rows; row += threads) {  // iterations: as above
    split_line(slot, v_slot, a + row * pitch, v + row * v_pitch, row - first_column);
  }
  for (uint i = thread; i < kWidth * kWidth; i += threads) {
    set_2(t_slot, (matrix * v_pitch + first_column) * kWidth + i, triangle[i]);
  }
}
