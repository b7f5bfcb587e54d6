#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : enable
// variants: i32
// Packs eight elements of a row into a word, the first in the lowest bits: the low four bits of integers, or floats rounded to
// FLOAT4_E2M1. Words are ordered by matrix, column of blocks, row, word within the row of a block; a matrix without blocks is one column
// of blocks. The padding of blocks is 0.

#include "matmul/formats/pack_nibbles.args.h"
#define OPERANDS 2
#define OWN_ARGUMENTS PACK_NIBBLES_ARGUMENTS
#include "common/kernel.glsl"

layout(local_size_x = 64) in;
ACLVK_CONSTANTS(PACK_NIBBLES_CONSTANTS)
#include "common/float4.glsl"

uint code_of(uint bits) { return kReal != 0 ? float4_of(bits, kFloat4E2M1) : bits & 0xFu; }

void main() {
  const uint words = ACLVK_ARGUMENT(words);
  const uint words_of_row = ACLVK_ARGUMENT(words_of_row);
  const uint rows_of_block = ACLVK_ARGUMENT(rows_of_block);
  const uint block_columns = ACLVK_ARGUMENT(block_columns);
  const uint columns = ACLVK_ARGUMENT(columns);
  const uint column_stride = ACLVK_ARGUMENT(column_stride);
  const uvec2 from = slot_of(0);
  const uvec2 to = slot_of(1);
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint at = group * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (at >= words) return;
  const uint row_of_all = at / words_of_row;
  const uint block_column = row_of_all / rows_of_block;
  const uint row = row_of_all % rows_of_block;
  const uint column = 8 * (block_column % block_columns * words_of_row + at % words_of_row);
  const uint start = block_column / block_columns * ACLVK_ARGUMENT(matrix_stride) + row * ACLVK_ARGUMENT(row_stride);
  uint word = 0u;
  if (row < ACLVK_ARGUMENT(rows)) {
    [[unroll]] for (uint i = 0; i < 8; ++i) {
      if (column + i < columns) word |= code_of(word_0(from, 4 * (start + (column + i) * column_stride))) << 4 * i;
    }
  }
  set_word_1(to, 4 * at, word);
}
