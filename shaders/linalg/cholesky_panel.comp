#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// a = L L^T of a panel: 16 columns of a (rows x rows, a multiple of 16) from `first_column` on. kTop: one work group a
// matrix decomposes the square on the diagonal and writes zeros to its right. Else one thread a row solves the rows
// below with that square, `groups` work groups a matrix. Where a is not positive definite the result has NaN from that
// column on.

#include "linalg/cholesky_panel.args.h"
#define OWN_ARGUMENTS CHOLESKY_PANEL_ARGUMENTS
#define OPERANDS 2
#define THREADS 16
#include "linalg/matrices.glsl"
MATRIX(0)
VEC8(0)

ACLVK_CONSTANTS(CHOLESKY_PANEL_CONSTANTS)

const uint kWidth = 16;

shared T column[kWidth];

T line[kWidth];

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

void decompose_line(uint row) {
  [[unroll]] for (uint step = 0; step < kWidth; ++step) {
    column[row] = line[step];
    barrier();
    const T square = column[step];
    const T root = square > T(0) ? sqrt(square) : uintBitsToFloat(0x7FC00000u);
    const T own = div(line[step], root);
    [[unroll]] for (uint j = step + 1; j < kWidth; ++j) line[j] = sub(line[j], mul(own, div(column[j], root)));
    line[step] = row == step ? root : row > step ? own : T(0);
    barrier();
  }
}

void solve_line(uvec2 slot, uint top, uint rows) {
  [[unroll]] for (uint step = 0; step < kWidth; ++step) {
    const T low[8] = vec8_at_0(slot, top + step * rows);
    T value = line[step];
    [[unroll]] for (uint j = 0; j < min(step, 8); ++j) value = sub(value, mul(line[j], low[j]));
    T root = low[step % 8];
    if (step >= 8) {
      const T high[8] = vec8_at_0(slot, top + step * rows + 8);
      [[unroll]] for (uint j = 8; j < step; ++j) value = sub(value, mul(line[j], high[j - 8]));
      root = high[step % 8];
    }
    line[step] = div(value, root);
  }
}

void main() {
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint count = ACLVK_ARGUMENT(count);
  const uint first_column = ACLVK_ARGUMENT(first_column);
  const uint groups = ACLVK_ARGUMENT(groups);
  const uvec2 slot = slot_of(0);
  const uint thread = gl_LocalInvocationID.x;
  const uint matrix = group_number() / groups;
  if (matrix >= count) return;
  const uint top = matrix * rows * rows + first_column * rows + first_column;
  if (kTop) {
    const uint at = top + thread * rows;
    load_line(slot, at);
    decompose_line(thread);
    store_line(slot, at);
    T zeros[8];
    [[unroll]] for (uint j = 0; j < 8; ++j) zeros[j] = T(0);
    for (uint beside = kWidth; beside < rows - first_column; beside += 8) {  // iterations: squares of 2 GiB have at most 23170 rows
      set_vec8_0(slot, at + beside, zeros);
    }
  } else {
    const uint at = top + (kWidth + (group_number() - matrix * groups) * THREADS + thread) * rows;
    load_line(slot, at);
    solve_line(slot, top, rows);
    store_line(slot, at);
  }
}
