#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 i32 i64
// Few rows of a and a depth of kDepth: the rows of b are read side by side from their beginning to their end, kSpans times what the
// threads of a group read at once. That is a few streams, which memory gives faster than columns of b from top to bottom.

#include "matmul/matrices.glsl"

layout(constant_id = 14) const uint kSpans = 1;

const uint kDepth = 16;

T left[kRows][kDepth];

void make_columns(uint first) {
  const uint column = min(first, tile.columns - 8);
  clear_sums();
  [[unroll]] for (uint q = 0; q < kDepth; ++q) {
    vec8_1(tile.slots[1], place_of(1, q, column), kSize1);
    [[unroll]] for (uint j = 0; j < 8; ++j) {
      const T y = decode(raw[j], kDtype1);
      [[unroll]] for (uint r = 0; r < kRows; ++r) sums[r][j] += left[r][q] * y;
    }
  }
  store_sums(first);
}

void main() {
  if (!find_tile()) return;
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    const uint row = min(tile.row * kRows + r, tile.rows - 1);
    [[unroll]] for (uint q = 0; q < kDepth; ++q) left[r][q] = element_of_a(row, q);
  }
  for (uint span = 0; span < kSpans; ++span) {
    make_columns(((tile.column * kSpans + span) * gl_WorkGroupSize.x + gl_LocalInvocationID.x) * 8);
  }
}
