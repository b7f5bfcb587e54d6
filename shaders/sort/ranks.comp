#version 460
#extension GL_GOOGLE_include_directive : require
// variants: bits
// z[order[n]] = sums[n] - 1: to which run of equal slices each slice belongs, when sums count the runs that have begun. Operand 0 holds
// the sums (int32), 1 the order (uint32), which names each place once, or, with kUnordered, nothing, 2 is z (int32).

#define OPERANDS 3
#define ARGUMENTS uint rows;
#include "common/kernel.glsl"

layout(local_size_x = 64) in;
layout(constant_id = 0) const bool kUnordered = false;

void main() {
  const uint rows = ACLVK_ARGUMENT(rows);
  const uvec2 sums = slot_of(0);
  const uvec2 order = slot_of(1);
  const uvec2 ranks = slot_of(2);
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint place = group * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (place >= rows) return;
  const uint slice = kUnordered ? place : min(word_1(order, place * 4u), rows - 1u);
  set_word_2(ranks, slice * 4u, word_0(sums, place * 4u) - 1u);
}
