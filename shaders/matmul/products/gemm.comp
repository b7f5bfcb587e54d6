#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 i32 i64
// Register-tiled GEMM without shared memory (docs/adr/0024): a thread computes kRows rows of eight columns in steps of eight along K.
// Neighbouring threads need the same elements of a, so each loads one of eight and they exchange them with shuffles; elements of b are
// loaded by each thread. On CPU drivers loads cost more than multiply-adds, and a shuffle with a constant lane is free. The loop over
// rows is outside, because the eight sums of one row stay in registers during a step and those of all rows do not.

#include "matmul/products/matrices.glsl"

const uint kParts = 8 / kLanes;  // elements of a row of a that a thread loads per step

T a_frag[kRows][kParts];
T b_frag[8][8];  // k, column

uint row_of(uint r) { return min(tile.row * kRows + r, tile.rows - 1); }
// A thread past the last column repeats it and stores nothing.
uint column_of(uint first, uint j) { return min(first + j, tile.columns - 1); }

void load_a(uint k) {
  const uint lane = gl_SubgroupInvocationID & kLanes - 1;
  [[unroll]] for (uint part = 0; part < kParts; ++part) {
    const uint at = k + part * kLanes + lane;
    const bool inside = kWholeK != 0 || at < tile.k;
    const uint index = inside ? at : tile.k - 1;
    [[unroll]] for (uint r = 0; r < kRows; ++r) a_frag[r][part] = inside ? element_of_a(row_of(r), index) : T(0);
  }
}

void load_b_along_columns(uint k, uint first) {
  const uint column = min(first, tile.columns - 8);
  [[unroll]] for (uint q = 0; q < 8; ++q) {
    [[unroll]] for (uint j = 0; j < 8; ++j) b_frag[q][j] = T(0);
    if (kWholeK != 0 || k + q < tile.k) {
      vec8_1(tile.slots[1], element_index(1, k + q, column), kSize1);
      [[unroll]] for (uint j = 0; j < 8; ++j) b_frag[q][j] = decode(raw[j], kDtype1);
    }
  }
}

void load_b_along_k(uint k, uint first) {
  [[unroll]] for (uint j = 0; j < 8; ++j) {
    vec8_1(tile.slots[1], element_index(1, k, column_of(first, j)), kSize1);
    [[unroll]] for (uint q = 0; q < 8; ++q) b_frag[q][j] = decode(raw[q], kDtype1);
  }
}

void load_b(uint k, uint first) {
  [[unroll]] for (uint q = 0; q < 8; ++q) {
    const bool inside = kWholeK != 0 || k + q < tile.k;
    const uint at = inside ? k + q : tile.k - 1;
    [[unroll]] for (uint j = 0; j < 8; ++j) b_frag[q][j] = inside ? element_of_b(at, column_of(first, j)) : T(0);
  }
}

void add_products() {
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    [[unroll]] for (uint q = 0; q < 8; ++q) {
      // All threads of a workgroup have the same rows, so the lanes below kLanes hold what each of them needs.
      const T x = value_of_lane(a_frag[r][q / kLanes], q % kLanes);
      [[unroll]] for (uint j = 0; j < 8; ++j) sums[r][j] += x * b_frag[q][j];
    }
  }
}

void main() {
  if (!find_tile()) return;
  const uint first = (tile.column * gl_WorkGroupSize.x + gl_LocalInvocationID.x) * 8;
  clear_sums();
  for (uint k = 0; k < tile.k; k += 8) {  // iterations: kMaxK of ops/matmul/products/gemm.cpp
    load_a(k);
    if (kAlong == 1) {
      load_b_along_columns(k, first);
    } else if (kAlong == 2) {
      load_b_along_k(k, first);
    } else {
      load_b(k, first);
    }
    add_products();
  }
  store_sums(first);
}
