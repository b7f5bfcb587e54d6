#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// z = the sum of the rows of a group, for each column. Operand 0 has the end of each group, in rows; its lanes are groups,
// those of operand 1 columns. Ends are clamped to the number of rows; a group that ends before its start is empty. Blocks of rows are
// summed separately (pairwise summation), which keeps sums of many rows accurate.

#include "index/grouped_bias.args.h"
#define OPERANDS 3
#define INDEXED_OPERANDS 2
#define OWN_ARGUMENTS GROUPED_BIAS_ARGUMENTS
#include "common/strided.glsl"

const uint kBlock = 64;
const uint kUnroll = 32;  // rows of an iteration; see kMaxRows of ops/index/grouped_bias.cpp

uint end_of(uint group, uint stride, uint rows) {
  const uvec4 bits = element_0(lanes.slots[0], group * stride, kSize0);
  const bool wide = kDtype0 == kInt64;
  const bool negative = kDtype0 != kUint32 && int(wide ? bits.y : bits.x) < 0;
  return negative ? 0 : wide && bits.y != 0u ? rows : min(bits.x, rows);
}

T sum_of(uint column, uint first, uint last, uint row_stride) {
  const uvec2 slot = lanes.slots[1];
  precise T sum = T(0);
  for (uint block = first; block < last; block += kBlock) {  // iterations: kMaxRows of ops/index/grouped_bias.cpp
    precise T part = T(0);
    const uint end = min(block + kBlock, last);
    for (uint row = block; row < end; row += kUnroll) {  // iterations: as above
      [[unroll]] for (uint i = 0; i < kUnroll; ++i) {
        if (row + i < end) part += decode(element_1(slot, column + (row + i) * row_stride, kSize1), kDtype1);
      }
    }
    sum += part;
  }
  return sum;
}

void main() {
  const uint end_stride = ACLVK_ARGUMENT(end_stride);
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint row_stride = ACLVK_ARGUMENT(row_stride);
  if (!find_lanes()) return;
  T z[LANES];
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    const uint group = lane_element(0, i);
    const uint first = group == 0 ? 0 : end_of(group - 1, end_stride, rows);
    z[i] = sum_of(lane_element(1, i), first, end_of(group, end_stride, rows), row_stride);
  }
  STORE(2, z);
}
