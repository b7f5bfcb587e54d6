#version 460
#extension GL_GOOGLE_include_directive : require
// Writes the packed row of each row of (steps, batch), uint32, or ~0 where the sequence has ended. Operands: the row
// count of each step, int64; the running sums of these counts, uint32; the result.

#include "rnn/packed_rows.args.h"
#define OPERANDS 3
#define OWN_ARGUMENTS PACKED_ROWS_ARGUMENTS
#include "common/kernel.glsl"

layout(local_size_x = 64) in;

void main() {
  const uint steps = ACLVK_ARGUMENT(steps);
  const uint batch = ACLVK_ARGUMENT(batch);
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint place = group * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  const uint at = place / batch;
  if (at >= steps) return;
  const uint row = place - at * batch;
  const uvec2 sizes = slot_of(0);
  const uint number = at * ACLVK_ARGUMENT(step);
  const uint count = int(word_0(sizes, 8u * number + 4u)) < 0 ? 0u : word_0(sizes, 8u * number);
  const uint packed_row = word_1(slot_of(1), 4u * at) - count + row;
  const bool has_step = row < count && packed_row < ACLVK_ARGUMENT(total);
  set_word_2(slot_of(2), 4u * place, has_step ? packed_row : ~0u);
}
