#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// Few rows of x times (weight + offset) * scale, whose integers are read once, as they lie: along the depth, or eights of a row that
// blocks cut. kLanes threads walk the depth side by side, 32 elements each, which have one scale, and make kRows rows of kColumns
// columns together.

#extension GL_EXT_control_flow_attributes : enable
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

#define OPERANDS 6
#define ARGUMENTS                                                                                                   \
  uint rows; uint columns; uint depth; uint row_tiles; uint group; uint x_step; uint weight_step; uint scale_row;   \
  uint scale_column; uint offset_row; uint offset_column; uint bias_step; uint y_row; uint y_column; uint jump;
#include "common/kernel.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kLanes = 8;    // threads that make sums together, at most 8
layout(constant_id = 2) const uint kRows = 1;
layout(constant_id = 3) const uint kColumns = 8;
layout(constant_id = 4) const uint kDtype = 0;    // of x, scale, offset and y
layout(constant_id = 5) const uint kBits = 8;     // of an element of the weight
layout(constant_id = 6) const uint kVec8 = 1;   // x is read in eights
layout(constant_id = 7) const uint kWhole = 1;    // 32 elements of the weight, or an eight of a row, are one access
layout(constant_id = 8) const uint kOffset = 0;   // there is one
layout(constant_id = 9) const uint kBias = 0;     // there is one
layout(constant_id = 10) const uint kDtypeOfBias = 0;
layout(constant_id = 11) const uint kPromoted = 0;
// The weight lies in blocks: which power of two of the depth, or of the columns, is a part. The next part begins `jump` elements behind
// the end of one.
layout(constant_id = 12) const uint kCut = 0;
layout(constant_id = 13) const uint kAlongColumns = 0;  // eights of a row: kColumns is 8

#include "common/compute.glsl"
#include "common/elements.glsl"
ELEMENT_INPUT(0)
ELEMENT_INPUT(1)
ELEMENT_INPUT(2)
ELEMENT_INPUT(3)
ELEMENT_INPUT(4)
ELEMENT_OUTPUT(5)

const uint kStep = 32;

// The arguments, which are read once, and the first column of a thread.
struct Dots {
  uvec2 slots[OPERANDS];
  uint columns;
  uint weight_step;  // from column to column, or from row to row
  uint jump;
  uint scale_row;
  uint scale_column;
  uint offset_row;
  uint offset_column;
  uint first;
};
Dots dots;

T left[kRows][kStep];
T right[kStep];
T sums[kRows][kColumns];
T some[kRows][8];  // of a step, before they are scaled
T scales[8];
T offsets[8];

void load_row(const uint r, uvec2 slot, uint at) {
  if (kVec8 != 0) {
    [[unroll]] for (uint vec = 0; vec < kStep; vec += 8) {
      vec8_0(slot, at + vec, 2);
      [[unroll]] for (uint i = 0; i < 8; ++i) left[r][vec + i] = decode(raw[i], kDtype);
    }
  } else {
    [[unroll]] for (uint i = 0; i < kStep; ++i) left[r][i] = decode(element_0(slot, at + i, 2), kDtype);
  }
}

void load_bytes(uvec2 slot, uint at) {
  if (kWhole != 0) {
    const Words words = words8_1(slot, at);
    [[unroll]] for (uint i = 0; i < kStep; ++i) {
      const uint word = i < 16 ? words.low[i / 4] : words.high[i / 4 - 4];
      right[i] = T(bitfieldExtract(int(word), int(8 * (i & 3u)), 8));
    }
  } else {
    [[unroll]] for (uint i = 0; i < kStep; ++i) right[i] = T(bitfieldExtract(int(element_1(slot, at + i, 1).x), 0, 8));
  }
}

void load_nibbles(uvec2 slot, uint at) {
  const uint byte_at = at / 2;
  uvec4 words;
  if (kWhole != 0) {
    words = words4_1(slot, byte_at);
  } else {
    [[unroll]] for (uint i = 0; i < 4; ++i) words[i] = word_1(slot, byte_at + 4 * i);
  }
  [[unroll]] for (uint i = 0; i < kStep; ++i) right[i] = T(bitfieldExtract(int(words[i / 8]), int(4 * (i & 7u)), 4));
}

void load_vec8(uvec2 slot, uint at) {
  if (kWhole != 0) {
    vec8_1(slot, at, 1);
  } else {
    [[unroll]] for (uint j = 0; j < 8; ++j) raw[j] = element_1(slot, at + j, 1);
  }
  [[unroll]] for (uint j = 0; j < 8; ++j) right[j] = T(bitfieldExtract(int(raw[j].x), 0, 8));
}

uint behind_jumps(uint at) { return kCut != 0 ? at + (at >> kCut) * dots.jump : at; }

// A thread beside the last column repeats it, and stores nothing.
uint column_of(uint j) { return min(dots.first + j, dots.columns - 1); }

T scale_of(uint part, uint column) {
  return decode(element_2(dots.slots[2], part * dots.scale_row + column * dots.scale_column, 2), kDtype);
}
T offset_of(uint part, uint column) {
  return decode(element_3(dots.slots[3], part * dots.offset_row + column * dots.offset_column, 2), kDtype);
}

void add_along_depth(uint depth, uint part) {
  const uint below = behind_jumps(depth);
  [[unroll]] for (uint j = 0; j < kColumns; ++j) {
    const uint column = column_of(j);
    if (kBits == 8) load_bytes(dots.slots[1], column * dots.weight_step + below);
    else load_nibbles(dots.slots[1], column * dots.weight_step + below);
    if (kOffset != 0) {
      const T offset = offset_of(part, column);
      [[unroll]] for (uint i = 0; i < kStep; ++i) right[i] += offset;
    }
    const T scale = scale_of(part, column);
    [[unroll]] for (uint r = 0; r < kRows; ++r) {
      T sum = T(0);
      [[unroll]] for (uint i = 0; i < kStep; ++i) sum += left[r][i] * right[i];
      sums[r][j] += sum * scale;
    }
  }
}

// An eight is in one part of its row. What is in it beside the last column is what blocks are filled up with, and not stored.
void add_along_columns(uint depth, uint part) {
  const uint start = behind_jumps(column_of(0) & ~7u) + depth * dots.weight_step;
  [[unroll]] for (uint j = 0; j < 8; ++j) {
    scales[j] = scale_of(part, column_of(j));
    offsets[j] = kOffset != 0 ? offset_of(part, column_of(j)) : T(0);
    [[unroll]] for (uint r = 0; r < kRows; ++r) some[r][j] = T(0);
  }
  [[unroll]] for (uint i = 0; i < kStep; ++i) {
    load_vec8(dots.slots[1], start + i * dots.weight_step);
    [[unroll]] for (uint j = 0; j < 8; ++j) {
      if (kOffset != 0) right[j] += offsets[j];
      [[unroll]] for (uint r = 0; r < kRows; ++r) some[r][j] += left[r][i] * right[j];
    }
  }
  [[unroll]] for (uint r = 0; r < kRows; ++r) [[unroll]] for (uint j = 0; j < 8; ++j) sums[r][j] += some[r][j] * scales[j];
}

// The sum over the threads that share it: pairs, pairs of pairs, and so on, so that it is the same in each run.
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
  dots.weight_step = ACLVK_ARGUMENT(weight_step);
  dots.jump = ACLVK_ARGUMENT(jump);
  dots.scale_row = ACLVK_ARGUMENT(scale_row);
  dots.scale_column = ACLVK_ARGUMENT(scale_column);
  dots.offset_row = ACLVK_ARGUMENT(offset_row);
  dots.offset_column = ACLVK_ARGUMENT(offset_column);
}

void main() {
  read_arguments();
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint depths = ACLVK_ARGUMENT(depth);
  const uint row_tiles = ACLVK_ARGUMENT(row_tiles);
  const uint group = ACLVK_ARGUMENT(group);
  const uint x_step = ACLVK_ARGUMENT(x_step);
  const uint bias_step = ACLVK_ARGUMENT(bias_step);
  const uint y_row = ACLVK_ARGUMENT(y_row);
  const uint y_column = ACLVK_ARGUMENT(y_column);
  const uint tile = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint column_tile = tile / row_tiles;
  const uint row = (tile - column_tile * row_tiles) * kRows;
  const uint lane = gl_SubgroupInvocationID & kLanes - 1;
  dots.first = (column_tile * gl_WorkGroupSize.x + gl_LocalInvocationID.x) / kLanes * kColumns;
  [[unroll]] for (uint r = 0; r < kRows; ++r) [[unroll]] for (uint j = 0; j < kColumns; ++j) sums[r][j] = T(0);
  for (uint depth = kStep * lane; depth < depths; depth += kStep * kLanes) {  // iterations: kMostDepth of ops/matmul/weight_dot.cpp
    [[unroll]] for (uint r = 0; r < kRows; ++r) load_row(r, dots.slots[0], min(row + r, rows - 1) * x_step + depth);
    if (kAlongColumns != 0) add_along_columns(depth, depth / group);
    else add_along_depth(depth, depth / group);
  }
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    [[unroll]] for (uint j = 0; j < kColumns; ++j) {
      T sum = sum_of_all(sums[r][j]);
      const uint column = dots.first + j;
      if (lane == 0 && row + r < rows && column < dots.columns) {
        if (kBias != 0) sum += decode(element_4(dots.slots[4], column * bias_step, size_of(kDtypeOfBias)), kDtypeOfBias);
        set_element_5(dots.slots[5], (row + r) * y_row + column * y_column, 2, encode(sum, kDtype));
      }
    }
  }
}
