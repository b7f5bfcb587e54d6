#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 i32 i64
// GEMM for few rows, where a and b are both contiguous along K. kLanes threads take vec8s of K in turn and compute kRows rows of eight
// columns together, so that b is read once and sequentially.

#include "matmul/products/matrices.glsl"

T a_frag[kRows][8];

// Butterfly sum over those threads, whose order is the same in each run. The loop counts levels, because Mesa does not unroll a loop that
// doubles its variable, nor one around it, and then the sums live in memory.
T sum_of_all(T mine) {
  T sum = mine;
  [[unroll]] for (uint level = 0; level < 3; ++level) {
    if ((1u << level) < kLanes) sum += value_of_lane(sum, gl_SubgroupInvocationID ^ 1u << level);
  }
  return sum;
}

void main() {
  if (!find_tile()) return;
  const uint row = tile.row * kRows;
  const uint lane = gl_SubgroupInvocationID & kLanes - 1;
  const uint first = (tile.column * gl_WorkGroupSize.x + gl_LocalInvocationID.x) / kLanes * 8;
  clear_sums();
  for (uint k = 8 * lane; k < tile.k; k += 8 * kLanes) {  // iterations: kMaxK of ops/matmul/products/gemm.cpp
    [[unroll]] for (uint r = 0; r < kRows; ++r) {
      vec8_0(tile.slots[0], element_index(0, min(row + r, tile.rows - 1), k), kSize0);
      [[unroll]] for (uint i = 0; i < 8; ++i) a_frag[r][i] = decode(raw[i], kDtype0);
    }
    [[unroll]] for (uint j = 0; j < 8; ++j) {
      vec8_1(tile.slots[1], element_index(1, k, min(first + j, tile.columns - 1)), kSize1);
      [[unroll]] for (uint i = 0; i < 8; ++i) {
        const T y = decode(raw[i], kDtype1);
        [[unroll]] for (uint r = 0; r < kRows; ++r) sums[r][j] += a_frag[r][i] * y;
      }
    }
  }
  const T alpha_value = alpha();
  const T beta_value = beta();
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    [[unroll]] for (uint j = 0; j < 8; ++j) {
      const T sum = sum_of_all(sums[r][j]);
      if (lane == 0 && row + r < tile.rows && first + j < tile.columns) {
        store_element(row + r, first + j, result_of(sum, alpha_value, beta_value, row + r, first + j));
      }
    }
  }
}
