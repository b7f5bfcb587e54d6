#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// Subtracts the gradient of each sample (operand 1) from its row of `classes` floats (operand 0) at the target's offset
// (operand 2), unless its bit of the mask (operand 3) is set. One thread a sample; `first` is the first sample's bit.

#include "loss/vocabulary_gradient.args.h"
#define OPERANDS 4
#define OWN_ARGUMENTS VOCABULARY_GRADIENT_ARGUMENTS
#include "common/kernel.glsl"

layout(local_size_x = 64) in;
ACLVK_CONSTANTS(VOCABULARY_GRADIENT_CONSTANTS)

void main() {
  const uint samples = ACLVK_ARGUMENT(samples);
  const uint classes = ACLVK_ARGUMENT(classes);
  const uint first = ACLVK_ARGUMENT(first);
  const uvec2 rows = slot_of(0);
  const uvec2 gradients = slot_of(1);
  const uvec2 target_offsets = slot_of(2);
  const uvec2 masks = slot_of(3);
  const uint number = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (number >= samples) return;
  const uint byte = (first + number) / 8u;
  const uint mask = word_3(masks, byte) >> 8u * (base_of(masks) + byte & 3u);
  if ((mask >> (first + number & 7u) & 1u) != 0u) return;
  uint offset = 0u;
  if (kWideOffsets) offset = words2_2(target_offsets, 8u * number).x;
  else offset = word_2(target_offsets, 4u * number);
  if (offset >= classes) return;
  const uint at = 4u * (number * classes + offset);
  set_word_0(rows, at, floatBitsToUint(uintBitsToFloat(word_0(rows, at)) - uintBitsToFloat(word_1(gradients, 4u * number))));
}
