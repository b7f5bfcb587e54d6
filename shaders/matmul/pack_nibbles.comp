#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : enable
// variants: i32
// The low four bits of eight integers become a word, the first the lowest. Operands are rows of integers and of words.

#define OPERANDS 2
#define ARGUMENTS uint words;
#include "common/kernel.glsl"

layout(local_size_x = 64) in;

void main() {
  const uint words = ACLVK_ARGUMENT(words);
  const uvec2 from = slot_of(0);
  const uvec2 to = slot_of(1);
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint at = group * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (at >= words) return;
  uint word = 0u;
  [[unroll]] for (uint i = 0; i < 8; ++i) word |= (word_0(from, 32 * at + 4 * i) & 0xFu) << 4 * i;
  set_word_1(to, 4 * at, word);
}
