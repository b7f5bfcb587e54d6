#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 i32 i64
// GEMM for few rows and K = kK, a slice of split-K (ops/matmul/products/split_k.cpp). The kK rows of b are read side by side from end to
// end, kSpans times the width of a workgroup: few sequential streams, which memory delivers faster than columns of b.

#include "matmul/products/sweep.args.h"
#include "matmul/products/matrices.glsl"

ACLVK_CONSTANTS(SWEEP_CONSTANTS)

const uint kK = 16;

T a_frag[kRows][kK];

void make_columns(uint first) {
  const uint column = min(first, tile.columns - 8);
  clear_sums();
  [[unroll]] for (uint q = 0; q < kK; ++q) {
    vec8_1(tile.slots[1], element_index(1, q, column), kSize1);
    [[unroll]] for (uint j = 0; j < 8; ++j) {
      const T y = decode(raw[j], kDtype1);
      [[unroll]] for (uint r = 0; r < kRows; ++r) sums[r][j] += a_frag[r][q] * y;
    }
  }
  store_sums(first);
}

void main() {
  if (!find_tile()) return;
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    const uint row = min(tile.row * kRows + r, tile.rows - 1);
    [[unroll]] for (uint q = 0; q < kK; ++q) a_frag[r][q] = element_of_a(row, q);
  }
  for (uint span = 0; span < kSpans; ++span) {
    make_columns(((tile.column * kSpans + span) * gl_WorkGroupSize.x + gl_LocalInvocationID.x) * 8);
  }
}
