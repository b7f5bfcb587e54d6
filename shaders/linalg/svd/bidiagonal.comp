#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// One step of Golub-Kahan bidiagonalisation, the pass over A (operand 0: `rows` of `stored_rows` rows x `pitch`, the
// first `columns` columns are those of the matrix). With the left reflector I - tau u u^T of column `step` the pass
//
//     1. applies the rank-2 update of the step before: A -= u' y'^T + x' v'^T
//     2. computes y^T = tau u^T A
//     3. computes r = row `step` of A - u y^T
//     4. adds to the product A r
//
// in one go, because a block of columns is complete once it has its y: the fused update and products of G. Howell and
// others, Cache Efficient Bidiagonalization Using BLAS 2.5 Operators, 2008. A work group has every `groups`-th block of
// 16 columns. bidiagonal_reflectors.comp sums their partial products A r and makes the reflectors. Operand 1 (3 x
// rows): unscaled u of even and of odd steps, and x. Operand 2 (2 x pitch): y and r. Operand 3: scales
// (bidiagonal.glsl). Operand 4 (max_groups x rows): A r of each work group.

#include "linalg/svd/bidiagonal.args.h"
#define OWN_ARGUMENTS BIDIAGONAL_ARGUMENTS
#define OPERANDS 5
#include "linalg/matrices.glsl"
#include "linalg/svd/bidiagonal.glsl"
MATRIX(0)
VEC8(0)
MATRIX(1)
MATRIX(2)
VEC8(2)
MATRIX(3)
MATRIX(4)

const uint kWidth = 16;

shared T sums[kMaxThreads * kWidth];
shared T products[kWidth];
shared T top[kWidth];

T line[kWidth];
T own[kWidth];  // partial sums of the thread
T y[kWidth];
T v[kWidth];

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

void share_sums() {
  const uint thread = gl_LocalInvocationID.x;
  [[unroll]] for (uint j = 0; j < kWidth; ++j) sums[thread * kWidth + j] = own[j];
  barrier();
  for (uint j = thread; j < kWidth; j += gl_WorkGroupSize.x) {
    T all = T(0);
    for (uint other = 0; other < gl_WorkGroupSize.x; ++other) all += sums[other * kWidth + j];  // iterations: kMaxThreads
    products[j] = all;
  }
  barrier();
}

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint columns = ACLVK_ARGUMENT(columns);
  const uint step = ACLVK_ARGUMENT(step);
  const uint stored_rows = ACLVK_ARGUMENT(stored_rows);
  const uint groups = ACLVK_ARGUMENT(groups);
  const uint max_groups = ACLVK_ARGUMENT(max_groups);
  const uint pitch = ACLVK_ARGUMENT(pitch);
  const uvec2 slot = slot_of(0);
  const uvec2 column_vectors = slot_of(1);
  const uvec2 row_vectors = slot_of(2);
  const uvec2 scales = slot_of(3);
  const uvec2 parts = slot_of(4);
  const uint matrix = group_number() / groups;
  if (matrix >= count) return;
  const uint group = group_number() - matrix * groups;
  const uint thread = gl_LocalInvocationID.x;
  const uint threads = gl_WorkGroupSize.x;
  const uint u_now = (3 * matrix + (step & 1u)) * rows;
  const uint u_before = (3 * matrix + 1 - (step & 1u)) * rows;
  const uint x_at = (3 * matrix + 2) * rows;
  const T u_scale = at_3(scales, matrix * kScales + kUScale + (step & 1u));
  const T u_scale_before = at_3(scales, matrix * kScales + kUScale + 1 - (step & 1u));
  const T v_scale = at_3(scales, matrix * kScales + kVScale);
  const T tau = at_3(scales, matrix * kScales + kTau);
  const uint part = (matrix * max_groups + group) * rows;
  const uint first_block = (step + 1) / kWidth + group;
  for (uint block = first_block; block < pitch / kWidth; block += groups) {  // iterations: bidiagonalize() of ops/linalg/svd/values.cpp has groups for it
    const uint start = block * kWidth;
    const uint a = matrix * stored_rows * pitch + start;
    const uint row_vectors_at = 2 * matrix * pitch + start;
    [[unroll]] for (uint half_line = 0; half_line < kWidth; half_line += 8) {
      const T y_vec8[8] = vec8_at_2(row_vectors, row_vectors_at + half_line);
      const T r_vec8[8] = vec8_at_2(row_vectors, row_vectors_at + pitch + half_line);
      [[unroll]] for (uint j = 0; j < 8; ++j) {
        const bool counts = start + half_line + j > step;
        y[half_line + j] = counts ? y_vec8[j] : T(0);
        v[half_line + j] = counts ? v_scale * r_vec8[j] : T(0);
        own[half_line + j] = T(0);
      }
    }
    for (uint row = step + thread; row < rows; row += threads) {  // iterations: as above
      load_line(slot, a + row * pitch);
      if (step == 0 && start + kWidth > columns) {
        [[unroll]] for (uint j = 0; j < kWidth; ++j) line[j] = start + j < columns ? line[j] : T(0);
      }
      const T u = row == step ? T(1) : u_scale * at_1(column_vectors, u_now + row);
      const T before = u_scale_before * at_1(column_vectors, u_before + row);
      const T x = at_1(column_vectors, x_at + row);
      [[unroll]] for (uint j = 0; j < kWidth; ++j) {
        line[j] -= before * y[j] + x * v[j];
        own[j] += u * line[j];
      }
      store_line(slot, a + row * pitch);
      if (row == step) {
        [[unroll]] for (uint j = 0; j < kWidth; ++j) top[j] = line[j];
      }
    }
    share_sums();
    [[unroll]] for (uint j = 0; j < kWidth; ++j) {
      const bool counts = start + j > step;
      y[j] = counts ? tau * products[j] : T(0);
      v[j] = counts ? top[j] - y[j] : T(0);
    }
    if (thread == 0) {
      [[unroll]] for (uint j = 0; j < kWidth; ++j) {
        set_2(row_vectors, row_vectors_at + j, y[j]);
        set_2(row_vectors, row_vectors_at + pitch + j, v[j]);
      }
    }
    for (uint row = step + thread; row < rows; row += threads) {  // iterations: as above
      load_line(slot, a + row * pitch);
      T sum = block == first_block ? T(0) : at_4(parts, part + row);
      [[unroll]] for (uint j = 0; j < kWidth; ++j) sum += line[j] * v[j];
      set_4(parts, part + row, sum);
    }
    barrier();
  }
}
