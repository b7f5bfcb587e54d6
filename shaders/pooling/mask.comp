#version 460
#extension GL_GOOGLE_include_directive : require
// variants: bits
// The maximum mask of a pooling: for each plane and each offset in the window a row of `row_bytes` bytes, whose bit n
// is set if the window at position n has its maximum at that offset. Operand 0 holds the indices of the maxima in their
// planes (maximum.comp). One thread a byte.

#include "pooling/mask.args.h"
#define OPERANDS 2
#define OWN_ARGUMENTS MASK_ARGUMENTS
#include "common/kernel.glsl"

layout(local_size_x = 64) in;

void main() {
  const uint bytes = ACLVK_ARGUMENT(bytes);
  const uint row_bytes = ACLVK_ARGUMENT(row_bytes);
  const uint positions = ACLVK_ARGUMENT(positions);
  const uint columns = ACLVK_ARGUMENT(columns);
  const uvec2 kernel = uvec2(ACLVK_ARGUMENT(kernel[0]), ACLVK_ARGUMENT(kernel[1]));
  const uvec2 extent = uvec2(ACLVK_ARGUMENT(extent[0]), ACLVK_ARGUMENT(extent[1]));
  const uvec2 step = uvec2(ACLVK_ARGUMENT(step[0]), ACLVK_ARGUMENT(step[1]));
  const uvec2 before = uvec2(ACLVK_ARGUMENT(before[0]), ACLVK_ARGUMENT(before[1]));
  const uvec2 dilation = uvec2(ACLVK_ARGUMENT(dilation[0]), ACLVK_ARGUMENT(dilation[1]));
  const uvec2 numbers = slot_of(0);
  const uvec2 masks = slot_of(1);
  const uint thread = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (thread >= bytes) return;
  const uint row = thread / row_bytes;
  const uint first = 8u * (thread - row * row_bytes);
  const uint plane = row / (kernel.x * kernel.y);
  const uint tap_index = row - plane * kernel.x * kernel.y;
  const uvec2 tap = uvec2(tap_index / kernel.y, tap_index % kernel.y);
  uint bits = 0u;
  for (uint i = 0; i < 8u; ++i) {
    const uint position = first + i;
    if (position < positions) {
      const uvec2 at = uvec2(position / columns, position % columns) * step + tap * dilation - before;  // wraps around outside of x
      const bool inside = at.x < extent.x && at.y < extent.y;
      const bool chosen = inside && word_0(numbers, 4u * (plane * positions + position)) == at.x * extent.y + at.y;
      bits |= (chosen ? 1u : 0u) << i;
    }
  }
  const uint shift = 8u * (base_of(masks) + thread & 3u);
  merge_word_1(masks, thread, 0xFFu << shift, bits << shift);
}
