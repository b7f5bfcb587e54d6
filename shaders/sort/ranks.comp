#version 460
#extension GL_GOOGLE_include_directive : require
// variants: bits
// z[order[n]] = sums[n] - 1: the run of equal slices that each slice belongs to (unique's inverse). Operands: the running sums of changes
// (int32), the order, which is a permutation (uint32; unused with kUnordered), and z (int32).

#include "sort/ranks.args.h"
#define OPERANDS 3
#define OWN_ARGUMENTS RANKS_ARGUMENTS
#include "common/kernel.glsl"

layout(local_size_x = 64) in;
ACLVK_CONSTANTS(RANKS_CONSTANTS)

void main() {
  const uint rows = ACLVK_ARGUMENT(rows);
  const uvec2 sums = slot_of(0);
  const uvec2 order = slot_of(1);
  const uvec2 ranks = slot_of(2);
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint position = group * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (position >= rows) return;
  const uint slice = kUnordered ? position : min(word_1(order, position * 4u), rows - 1u);
  set_word_2(ranks, slice * 4u, word_0(sums, position * 4u) - 1u);
}
