#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 i32 i64
// Few rows of a, whose elements, like those of the columns of b, lie next to each other along the depth. kLanes
// threads walk the depth side by side, an eight each, and make kRows rows of eight columns together: b is read once, as it lies.

#include "matmul/matrices.glsl"

T left[kRows][8];

// The sum over those threads: pairs, pairs of pairs, and so on, so that it is the same in each run. Counted by level, because a loop
// that doubles its variable is not unrolled, and nor is one around it: the sums would be in memory all the time.
T sum_of_all(T mine) {
  T sum = mine;
  [[unroll]] for (uint level = 0; level < 3; ++level) {
    if ((1u << level) < kLanes) sum += value_in(sum, gl_SubgroupInvocationID ^ 1u << level);
  }
  return sum;
}

void main() {
  if (!find_tile()) return;
  const uint row = tile.row * kRows;
  const uint lane = gl_SubgroupInvocationID & kLanes - 1;
  const uint first = (tile.column * gl_WorkGroupSize.x + gl_LocalInvocationID.x) / kLanes * 8;
  clear_sums();
  for (uint depth = 8 * lane; depth < tile.depth; depth += 8 * kLanes) {  // iterations: kMostDepth of ops/matmul/gemm.cpp
    [[unroll]] for (uint r = 0; r < kRows; ++r) {
      vec8_0(tile.slots[0], place_of(0, min(row + r, tile.rows - 1), depth), kSize0);
      [[unroll]] for (uint i = 0; i < 8; ++i) left[r][i] = decode(raw[i], kDtype0);
    }
    [[unroll]] for (uint j = 0; j < 8; ++j) {
      vec8_1(tile.slots[1], place_of(1, depth, min(first + j, tile.columns - 1)), kSize1);
      [[unroll]] for (uint i = 0; i < 8; ++i) {
        const T y = decode(raw[i], kDtype1);
        [[unroll]] for (uint r = 0; r < kRows; ++r) sums[r][j] += left[r][i] * y;
      }
    }
  }
  const T scale = alpha();
  const T share = beta();
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    [[unroll]] for (uint j = 0; j < 8; ++j) {
      const T sum = sum_of_all(sums[r][j]);
      if (lane == 0 && row + r < tile.rows && first + j < tile.columns) {
        store_element(row + r, first + j, result_of(sum, scale, share, row + r, first + j));
      }
    }
  }
}
