#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 i32 i64
// A thread makes kRows rows of eight columns, in steps of eight along the depth. What it needs of a is the same for all threads next
// to each other, so each loads one of the eight elements of a row and they hand them around; what it needs of b it loads itself.
// Loads, not sums, are what a driver for CPUs pays for. The rows come one after the other, each with all of the step, because the
// eight sums of a row stay in registers meanwhile and those of all rows would not.

#include "matmul/matrices.glsl"

const uint kParts = 8 / kLanes;  // elements of a row of a that a thread loads in a step

T left[kRows][kParts];
T right[8][8];  // depth, column

uint row_of(uint r) { return min(tile.row * kRows + r, tile.rows - 1); }
// A thread beside the last column repeats it, and stores nothing.
uint column_of(uint first, uint j) { return min(first + j, tile.columns - 1); }

void load_left(uint depth) {
  const uint lane = gl_SubgroupInvocationID & kLanes - 1;
  [[unroll]] for (uint part = 0; part < kParts; ++part) {
    const uint at = depth + part * kLanes + lane;
    const bool inside = kWholeDepth != 0 || at < tile.depth;
    const uint place = inside ? at : tile.depth - 1;
    [[unroll]] for (uint r = 0; r < kRows; ++r) left[r][part] = inside ? element_of_a(row_of(r), place) : T(0);
  }
}

void load_right_along_columns(uint depth, uint first) {
  const uint column = min(first, tile.columns - 8);
  [[unroll]] for (uint q = 0; q < 8; ++q) {
    [[unroll]] for (uint j = 0; j < 8; ++j) right[q][j] = T(0);
    if (kWholeDepth != 0 || depth + q < tile.depth) {
      vec8_1(tile.slots[1], place_of(1, depth + q, column), kSize1);
      [[unroll]] for (uint j = 0; j < 8; ++j) right[q][j] = decode(raw[j], kDtype1);
    }
  }
}

void load_right_along_depth(uint depth, uint first) {
  [[unroll]] for (uint j = 0; j < 8; ++j) {
    vec8_1(tile.slots[1], place_of(1, depth, column_of(first, j)), kSize1);
    [[unroll]] for (uint q = 0; q < 8; ++q) right[q][j] = decode(raw[q], kDtype1);
  }
}

void load_right(uint depth, uint first) {
  [[unroll]] for (uint q = 0; q < 8; ++q) {
    const bool inside = kWholeDepth != 0 || depth + q < tile.depth;
    const uint at = inside ? depth + q : tile.depth - 1;
    [[unroll]] for (uint j = 0; j < 8; ++j) right[q][j] = inside ? element_of_b(at, column_of(first, j)) : T(0);
  }
}

void add_products() {
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    [[unroll]] for (uint q = 0; q < 8; ++q) {
      const T x = value_in(left[r][q / kLanes], q % kLanes);
      [[unroll]] for (uint j = 0; j < 8; ++j) sums[r][j] += x * right[q][j];
    }
  }
}

void main() {
  if (!find_tile()) return;
  const uint first = (tile.column * gl_WorkGroupSize.x + gl_LocalInvocationID.x) * 8;
  clear_sums();
  for (uint depth = 0; depth < tile.depth; depth += 8) {  // iterations: kMostDepth of ops/matmul/gemm.cpp
    load_left(depth);
    if (kAlong == 1) {
      load_right_along_columns(depth, first);
    } else if (kAlong == 2) {
      load_right_along_depth(depth, first);
    } else {
      load_right(depth, first);
    }
    add_products();
  }
  store_sums(first);
}
