#version 460
#extension GL_GOOGLE_include_directive : require
// variants: bits
// Transposing copy: the contiguous dims of x and z differ. Each thread copies a block of 8 x 8 elements, so that both sides access whole
// lines. Eight adjacent threads take adjacent blocks, 2^block_shift of them along x's rows. ops/kernel/transpose.cpp is the host's
// half.

#extension GL_EXT_control_flow_attributes : enable

#include "kernel/transpose.args.h"
#define OPERANDS 2
#define OWN_ARGUMENTS TRANSPOSE_ARGUMENTS
#include "common/kernel.glsl"
#include "common/elements.glsl"
ELEMENT_INPUT(0)
ELEMENT_OUTPUT(1)

layout(local_size_x = 64) in;
ACLVK_CONSTANTS(TRANSPOSE_CONSTANTS)

uvec2 values[8][8];

void load_row(uint j, uint x, uint first, uint row) {
  const uvec2 slot = slot_of(0);
  if (kWholeRows) {
    vec8_0(slot, x + first, kSize);
  } else {
    [[unroll]] for (uint i = 0; i < 8; ++i) raw[i] = element_0(slot, x + min(first + i, row - 1), kSize);
  }
  [[unroll]] for (uint i = 0; i < 8; ++i) values[i][j] = raw[i].xy;
}

void store_column(uint i, uint z, uint first, uint column) {
  const uvec2 slot = slot_of(1);
  [[unroll]] for (uint j = 0; j < 8; ++j) raw[j] = uvec4(values[i][j], 0u, 0u);
  if (kWholeColumns) {
    set_vec8_1(slot, z + first, kSize);
  } else {
    [[unroll]] for (uint j = 0; j < 8; ++j) {
      if (first + j < column) set_element_1(slot, z + first + j, kSize, raw[j]);
    }
  }
}

void main() {
  const uint threads = ACLVK_ARGUMENT(threads);
  const uint row = ACLVK_ARGUMENT(row);
  const uint column = ACLVK_ARGUMENT(column);
  const uint x_step = ACLVK_ARGUMENT(x_step);
  const uint z_step = ACLVK_ARGUMENT(z_step);
  const uint blocks_of_row = ACLVK_ARGUMENT(blocks_of_row);
  const uint blocks_of_column = ACLVK_ARGUMENT(blocks_of_column);
  const uint shift = ACLVK_ARGUMENT(block_shift);
  const uint thread = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  const uint lane = thread & 7u;
  uint rest = thread >> 3;
  uint outer = rest / blocks_of_row;
  const uint first = 8u * ((rest - outer * blocks_of_row << shift) + (lane & (1u << shift) - 1u));
  rest = outer / blocks_of_column;
  const uint first_row = 8u * ((outer - rest * blocks_of_column << 3u - shift) + (lane >> shift));
  uint x = 0;
  uint z = 0;
  [[unroll]] for (uint dim = 0; dim < kOuter; ++dim) {
    const uint size = ACLVK_ARGUMENT(sizes[dim]);
    outer = rest / size;
    x += (rest - outer * size) * ACLVK_ARGUMENT(x_steps[dim]);
    z += (rest - outer * size) * ACLVK_ARGUMENT(z_steps[dim]);
    rest = outer;
  }
  if (thread >= threads || first >= row || first_row >= column) return;
  [[unroll]] for (uint j = 0; j < 8; ++j) load_row(j, x + min(first_row + j, column - 1) * x_step, first, row);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (first + i < row) store_column(i, z + (first + i) * z_step, first_row, column);
  }
}
