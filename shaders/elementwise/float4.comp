#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : enable
// variants: f32
// Packs a row of FLOAT to 4-bit floats, eight in a word, low bits first (common/float4.glsl). Operands are the floats and the words.

#include "elementwise/float4.args.h"
#define OPERANDS 2
#define OWN_ARGUMENTS FLOAT4_ARGUMENTS
#include "common/kernel.glsl"

layout(local_size_x = 64) in;
ACLVK_CONSTANTS(FLOAT4_CONSTANTS)
#include "common/float4.glsl"

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uvec2 from = slot_of(0);
  const uvec2 to = slot_of(1);
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint first = 8 * (group * gl_WorkGroupSize.x + gl_LocalInvocationID.x);
  if (first >= count) return;
  uint word = 0u;
  uint mask = 0u;
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (first + i < count) {
      word |= float4_of(word_0(from, 4 * (first + i)), kDtype) << 4 * i;
      mask |= 15u << 4 * i;
    }
  }
  if (mask == 0xFFFFFFFFu) {
    set_word_1(to, first / 2, word);
  } else {
    merge_word_1(to, first / 2, mask, word);
  }
}
