#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// The gradient of a pooling's input from its maximum mask (mask.comp): an element receives the gradients of the windows
// that have their maximum there. Operand 0 is the gradient of the result, operand 1 the mask, both contiguous; their
// lanes have strides that number the elements.

#include "pooling/mask_gradient.args.h"
#define OPERANDS 3
#define INDEXED_OPERANDS 2
#define OWN_ARGUMENTS MASK_GRADIENT_ARGUMENTS
#include "common/covering.glsl"
#include "common/strided.glsl"

void main() {
  const uint row_bytes = ACLVK_ARGUMENT(row_bytes);
  const uvec2 positions = uvec2(ACLVK_ARGUMENT(shape[0]), ACLVK_ARGUMENT(shape[1]));
  const uvec2 kernel = uvec2(ACLVK_ARGUMENT(kernel[0]), ACLVK_ARGUMENT(kernel[1]));
  const uvec2 extent = uvec2(ACLVK_ARGUMENT(extent[0]), ACLVK_ARGUMENT(extent[1]));
  const uvec2 step = uvec2(ACLVK_ARGUMENT(step[0]), ACLVK_ARGUMENT(step[1]));
  const uvec2 before = uvec2(ACLVK_ARGUMENT(before[0]), ACLVK_ARGUMENT(before[1]));
  const uvec2 dilation = uvec2(ACLVK_ARGUMENT(dilation[0]), ACLVK_ARGUMENT(dilation[1]));
  const uvec2 period = uvec2(ACLVK_ARGUMENT(period[0]), ACLVK_ARGUMENT(period[1]));
  const uvec2 most = uvec2(ACLVK_ARGUMENT(most[0]), ACLVK_ARGUMENT(most[1]));
  Covering covering[2];
  [[unroll]] for (uint d = 0; d < 2; ++d) {
    covering[d] = Covering(int(positions[d]), int(kernel[d]), int(step[d]), int(dilation[d]), int(ACLVK_ARGUMENT(divisor[d])),
                           int(period[d]), int(ACLVK_ARGUMENT(inverse[d])));
  }
  if (!find_lanes()) return;
  const uvec2 gradients = lanes.slots[0];
  const uvec2 masks = lanes.slots[1];
  uint plane[4];
  uvec2 reach[4];  // element + padding: the latest start of a window that covers it
  uvec2 taps[4];   // the first tap through which a window covers the element, and how many do
  uvec2 count[4];
  T sum[LANES];
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    const uint number = lane_element(0, i);
    plane[i] = number / (extent.x * extent.y);
    const uint rest = number - plane[i] * extent.x * extent.y;
    reach[i] = uvec2(rest / extent.y, rest % extent.y) + before;
    [[unroll]] for (uint d = 0; d < 2; ++d) {
      int first;
      int seen;
      find_taps(covering[d], int(reach[i][d]), first, seen);
      taps[i][d] = uint(first);
      count[i][d] = uint(seen);
    }
    sum[i] = T(0);
  }
  for (uint iteration = 0; iteration < most.x * most.y; ++iteration) {  // iterations: a mask of 2^31 bytes has 2^30 bits that count, so 2^15 windows see an element
    const uvec2 number = uvec2(iteration / most.y, iteration % most.y);
    [[unroll]] for (uint i = 0; i < 4; ++i) {
      const bool there = number.x < count[i].x && number.y < count[i].y;
      const uvec2 tap = taps[i] + number * period;
      const uvec2 window = (reach[i] - tap * dilation) / step;
      const uint position = there ? window.x * positions.y + window.y : 0u;
      const uint tap_index = there ? tap.x * kernel.y + tap.y : 0u;
      const uint byte = (plane[i] * kernel.x * kernel.y + tap_index) * row_bytes + position / 8u;
      const bool chosen = there && (element_1(masks, byte, 1u).x >> (position & 7u) & 1u) != 0u;
      const uint at = plane[i] * positions.x * positions.y + position;
      if (chosen) sum[i] += decode(element_0(gradients, at, kSize0), kDtype0);
    }
  }
  STORE(2, sum);
}
