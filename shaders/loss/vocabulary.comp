#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : enable
// variants: bits
// Looks up targets (operand 0) in the shard of a vocabulary from index `start` to `end` inclusive. Operand 2: the
// offset of the target in the shard, 0 if it is outside. Operand 3: 1 if it is outside, as a bit or a word. Operand 4:
// the element of the sample's row of `classes` floats (operand 1) at that offset, 0 if it is outside. A thread handles
// eight samples, which are one byte of a bit mask.

#include "loss/vocabulary.args.h"
#define OPERANDS 5
#define OWN_ARGUMENTS VOCABULARY_ARGUMENTS
#include "common/kernel.glsl"
#include "common/words64.glsl"

layout(local_size_x = 64) in;
ACLVK_CONSTANTS(VOCABULARY_CONSTANTS)

void main() {
  const uint samples = ACLVK_ARGUMENT(samples);
  const uint classes = ACLVK_ARGUMENT(classes);
  const uvec2 start = uvec2(ACLVK_ARGUMENT(start_low), ACLVK_ARGUMENT(start_high));
  const uvec2 end = uvec2(ACLVK_ARGUMENT(end_low), ACLVK_ARGUMENT(end_high));
  const uint mask_word = ACLVK_ARGUMENT(mask_word);
  const uvec2 targets = slot_of(0);
  const uvec2 rows = slot_of(1);
  const uvec2 target_offsets = slot_of(2);
  const uvec2 masks = slot_of(3);
  const uvec2 found = slot_of(4);
  const uint thread = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (8u * thread >= samples) return;
  uint bits = 0u;
  for (uint i = 0; i < 8u; ++i) {
    const uint sample_number = 8u * thread + i;
    if (sample_number < samples) {
      uvec2 target = uvec2(0u);
      if (kWideTargets) {
        target = words2_0(targets, 8u * sample_number);
      } else {
        const uint word = word_0(targets, 4u * sample_number);
        target = uvec2(word, (word >> 31) * ~0u);
      }
      const uvec2 offset = sub64(target, start);
      const bool outside = less64_signed(target, start) || less64_signed(end, target) || !less64(offset, uvec2(classes, 0u));
      const uint at = outside ? 0u : offset.x;
      uint value = 0u;
      if (!outside) value = word_1(rows, 4u * (sample_number * classes + at));
      set_word_4(found, 4u * sample_number, value);
      if (kWideOffsets) set_words2_2(target_offsets, 8u * sample_number, uvec2(at, 0u));
      else set_word_2(target_offsets, 4u * sample_number, at);
      if (!kBits) set_word_3(masks, 4u * sample_number, outside ? mask_word : 0u);
      bits |= (outside ? 1u : 0u) << i;
    }
  }
  if (kBits) {
    const uint shift = 8u * (base_of(masks) + thread & 3u);
    merge_word_3(masks, thread, 0xFFu << shift, bits << shift);
  }
}
