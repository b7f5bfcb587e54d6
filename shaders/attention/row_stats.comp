#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// The numbers that attention's backward pass needs of each row: row_max, 1 / row_sum (0 for a row that sees no key), delta = rowsum(dY
// * Y), and with kSink the row's part of the gradient of its head's sink, -delta * exp(sink - row_max) / row_sum. Operands are dY, Y,
// maxima, sums, sinks and the results, four floats a row. One thread computes a row.

#include "attention/row_stats.args.h"
#define OPERANDS 6
#define OWN_ARGUMENTS ROW_STATS_ARGUMENTS
#include "common/kernel.glsl"

layout(local_size_x = 64) in;
ACLVK_CONSTANTS(ROW_STATS_CONSTANTS)
const uint kPromoted = 0;  // float

#extension GL_EXT_control_flow_attributes : enable
#include "common/compute.glsl"
#include "common/elements.glsl"
ELEMENT_INPUT(0)
ELEMENT_INPUT(1)
ELEMENT_INPUT(4)
#include "common/math/exponential.glsl"

void main() {
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint heads = ACLVK_ARGUMENT(heads);
  const uint tokens = ACLVK_ARGUMENT(tokens);
  const uint columns = ACLVK_ARGUMENT(columns);
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint row = group * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (row >= rows) return;
  const uint of_head = row / tokens;
  const uint token = row - of_head * tokens;
  const uint sequence = of_head / heads;
  const uint head = of_head - sequence * heads;
#define START(strides) (sequence * ACLVK_ARGUMENT(strides[0]) + head * ACLVK_ARGUMENT(strides[1]) + token * ACLVK_ARGUMENT(strides[2]))
  const uint dy_start = START(dy_strides);
  const uint y_start = START(y_strides);
  const uvec2 dy_slot = slot_of(0);
  const uvec2 y_slot = slot_of(1);
  const uint size = size_of(kDtype0);
  float delta = 0;
  for (uint column = 0; column < columns; column += 8) {  // iterations: at most 512 columns
    float dy[8];
    vec8_0(dy_slot, dy_start + column, size);
    [[unroll]] for (uint i = 0; i < 8; ++i) dy[i] = decode(raw[i], kDtype0);
    vec8_1(y_slot, y_start + column, size);
    [[unroll]] for (uint i = 0; i < 8; ++i) delta += dy[i] * decode(raw[i], kDtype0);
  }
  const float row_max = uintBitsToFloat(word_2(slot_of(2), START(row_max_strides) * 4u));
  const float row_sum = uintBitsToFloat(word_3(slot_of(3), START(row_sum_strides) * 4u));
  const float inverse = row_sum > 0 || isnan(row_sum) ? 1 / row_sum : 0.0;
  float of_sink = 0;
  if (kSink != 0) {
    const float sink = decode(element_4(slot_of(4), head * ACLVK_ARGUMENT(sink_stride), size_of(kDtype4)), kDtype4);
    // The maximum includes the sink, unless the row sees no key.
    of_sink = -delta * inverse * exp_below(sink > row_max ? 0.0 : sink - row_max);
  }
  set_words4_5(slot_of(5), row * 16u, floatBitsToUint(vec4(row_max, inverse, delta, of_sink)));
}
