#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// Weight-only quantised GEMM for few rows: x times (weight + offset) * scale. Integers are read once, in memory order: along K, or as
// vec8s along the columns of blocked rows. kLanes threads take 32 elements of K in turn, which share one scale, and compute kRows rows of
// kColumns columns together.

#extension GL_EXT_control_flow_attributes : enable
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

#include "matmul/quantised/weight_dot.args.h"
#define OPERANDS 6
#define OWN_ARGUMENTS WEIGHT_DOT_ARGUMENTS
#include "common/kernel.glsl"

ACLVK_CONSTANTS(WEIGHT_DOT_CONSTANTS)
// log2 of the elements of K, or of the columns, in a block of the weight; 0 without blocks. Consecutive blocks have `gap` elements
// between them.

#include "common/compute.glsl"
#include "common/elements.glsl"
ELEMENT_INPUT(0)
ELEMENT_INPUT(1)
ELEMENT_INPUT(2)
ELEMENT_INPUT(3)
ELEMENT_INPUT(4)
ELEMENT_OUTPUT(5)

const uint kStep = 32;

// Arguments, which are read once, and the first column of this thread.
struct Dots {
  uvec2 slots[OPERANDS];
  uint columns;
  uint weight_stride;  // between columns, or between rows
  uint gap;
  uint scale_row;
  uint scale_column;
  uint offset_row;
  uint offset_column;
  uint first;
};
Dots dots;

T x_frag[kRows][kStep];
T w_frag[kStep];
T sums[kRows][kColumns];
T partial[kRows][8];  // sums of a step, not yet scaled
T scales[8];
T offsets[8];

void load_row(const uint r, uvec2 slot, uint at) {
  if (kVec8Loads != 0) {
    [[unroll]] for (uint vec = 0; vec < kStep; vec += 8) {
      vec8_0(slot, at + vec, 2);
      [[unroll]] for (uint i = 0; i < 8; ++i) x_frag[r][vec + i] = decode(raw[i], kDtype);
    }
  } else {
    [[unroll]] for (uint i = 0; i < kStep; ++i) x_frag[r][i] = decode(element_0(slot, at + i, 2), kDtype);
  }
}

void load_bytes(uvec2 slot, uint at) {
  if (kWideLoads != 0) {
    const Words words = words8_1(slot, at);
    [[unroll]] for (uint i = 0; i < kStep; ++i) {
      const uint word = i < 16 ? words.low[i / 4] : words.high[i / 4 - 4];
      w_frag[i] = T(bitfieldExtract(int(word), int(8 * (i & 3u)), 8));
    }
  } else {
    [[unroll]] for (uint i = 0; i < kStep; ++i) w_frag[i] = T(bitfieldExtract(int(element_1(slot, at + i, 1).x), 0, 8));
  }
}

void load_nibbles(uvec2 slot, uint at) {
  const uint byte_at = at / 2;
  uvec4 words;
  if (kWideLoads != 0) {
    words = words4_1(slot, byte_at);
  } else {
    [[unroll]] for (uint i = 0; i < 4; ++i) words[i] = word_1(slot, byte_at + 4 * i);
  }
  [[unroll]] for (uint i = 0; i < kStep; ++i) w_frag[i] = T(bitfieldExtract(int(words[i / 8]), int(4 * (i & 7u)), 4));
}

void load_vec8(uvec2 slot, uint at) {
  if (kWideLoads != 0) {
    vec8_1(slot, at, 1);
  } else {
    [[unroll]] for (uint j = 0; j < 8; ++j) raw[j] = element_1(slot, at + j, 1);
  }
  [[unroll]] for (uint j = 0; j < 8; ++j) w_frag[j] = T(bitfieldExtract(int(raw[j].x), 0, 8));
}

uint with_gaps(uint at) { return kLog2BlockSize != 0 ? at + (at >> kLog2BlockSize) * dots.gap : at; }

// A thread past the last column repeats it and stores nothing.
uint column_of(uint j) { return min(dots.first + j, dots.columns - 1); }

T scale_of(uint part, uint column) {
  return decode(element_2(dots.slots[2], part * dots.scale_row + column * dots.scale_column, 2), kDtype);
}
T offset_of(uint part, uint column) {
  return decode(element_3(dots.slots[3], part * dots.offset_row + column * dots.offset_column, 2), kDtype);
}

void add_along_k(uint k, uint part) {
  const uint below = with_gaps(k);
  [[unroll]] for (uint j = 0; j < kColumns; ++j) {
    const uint column = column_of(j);
    if (kBits == 8) load_bytes(dots.slots[1], column * dots.weight_stride + below);
    else load_nibbles(dots.slots[1], column * dots.weight_stride + below);
    if (kOffset != 0) {
      const T offset = offset_of(part, column);
      [[unroll]] for (uint i = 0; i < kStep; ++i) w_frag[i] += offset;
    }
    const T scale = scale_of(part, column);
    [[unroll]] for (uint r = 0; r < kRows; ++r) {
      T sum = T(0);
      [[unroll]] for (uint i = 0; i < kStep; ++i) sum += x_frag[r][i] * w_frag[i];
      sums[r][j] += sum * scale;
    }
  }
}

// A vec8 is within one block. Past the last column it has the block's padding, which is not stored.
void add_along_columns(uint k, uint part) {
  const uint start = with_gaps(column_of(0) & ~7u) + k * dots.weight_stride;
  [[unroll]] for (uint j = 0; j < 8; ++j) {
    scales[j] = scale_of(part, column_of(j));
    offsets[j] = kOffset != 0 ? offset_of(part, column_of(j)) : T(0);
    [[unroll]] for (uint r = 0; r < kRows; ++r) partial[r][j] = T(0);
  }
  [[unroll]] for (uint i = 0; i < kStep; ++i) {
    load_vec8(dots.slots[1], start + i * dots.weight_stride);
    [[unroll]] for (uint j = 0; j < 8; ++j) {
      if (kOffset != 0) w_frag[j] += offsets[j];
      [[unroll]] for (uint r = 0; r < kRows; ++r) partial[r][j] += x_frag[r][i] * w_frag[j];
    }
  }
  [[unroll]] for (uint r = 0; r < kRows; ++r) [[unroll]] for (uint j = 0; j < 8; ++j) sums[r][j] += partial[r][j] * scales[j];
}

// Butterfly sum over the threads of a tile, whose order is the same in each run.
T sum_of_all(T mine) {
  T sum = mine;
  [[unroll]] for (uint level = 0; level < 3; ++level) {
    if ((1u << level) < kLanes) sum += subgroupShuffle(sum, gl_SubgroupInvocationID ^ 1u << level);
  }
  return sum;
}

void read_arguments() {
  [[unroll]] for (uint k = 0; k < OPERANDS; ++k) dots.slots[k] = slot_of(k);
  dots.columns = ACLVK_ARGUMENT(columns);
  dots.weight_stride = ACLVK_ARGUMENT(weight_stride);
  dots.gap = ACLVK_ARGUMENT(gap);
  dots.scale_row = ACLVK_ARGUMENT(scale_row);
  dots.scale_column = ACLVK_ARGUMENT(scale_column);
  dots.offset_row = ACLVK_ARGUMENT(offset_row);
  dots.offset_column = ACLVK_ARGUMENT(offset_column);
}

void main() {
  read_arguments();
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint k_end = ACLVK_ARGUMENT(k);
  const uint row_tiles = ACLVK_ARGUMENT(row_tiles);
  const uint group = ACLVK_ARGUMENT(group);
  const uint x_stride = ACLVK_ARGUMENT(x_stride);
  const uint bias_stride = ACLVK_ARGUMENT(bias_stride);
  const uint y_row = ACLVK_ARGUMENT(y_row);
  const uint y_column = ACLVK_ARGUMENT(y_column);
  const uint tile = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint column_tile = tile / row_tiles;
  const uint row = (tile - column_tile * row_tiles) * kRows;
  const uint lane = gl_SubgroupInvocationID & kLanes - 1;
  dots.first = (column_tile * gl_WorkGroupSize.x + gl_LocalInvocationID.x) / kLanes * kColumns;
  [[unroll]] for (uint r = 0; r < kRows; ++r) [[unroll]] for (uint j = 0; j < kColumns; ++j) sums[r][j] = T(0);
  for (uint k = kStep * lane; k < k_end; k += kStep * kLanes) {  // iterations: kMaxK of ops/matmul/quantised/weight_dot.cpp
    [[unroll]] for (uint r = 0; r < kRows; ++r) load_row(r, dots.slots[0], min(row + r, rows - 1) * x_stride + k);
    if (kAlongColumns != 0) add_along_columns(k, k / group);
    else add_along_k(k, k / group);
  }
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    [[unroll]] for (uint j = 0; j < kColumns; ++j) {
      T sum = sum_of_all(sums[r][j]);
      const uint column = dots.first + j;
      if (lane == 0 && row + r < rows && column < dots.columns) {
        if (kBias != 0) sum += decode(element_4(dots.slots[4], column * bias_stride, size_of(kDtypeOfBias)), kDtypeOfBias);
        set_element_5(dots.slots[5], (row + r) * y_row + column * y_column, 2, encode(sum, kDtype));
      }
    }
  }
}
