#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// The gradient of the input of a pooling whose maxima are in a mask (mask.comp): each element gets those of the windows that have their
// maximum there. Operand 0 is the gradient of the result, operand 1 the mask, both contiguous; lanes number the elements along them.

#define OPERANDS 3
#define WHOLE 2
#define FAMILY_WORDS 13
#define FAMILY_ARGUMENTS uint row_bytes; uint shape[2]; uint kernel[2]; uint extent[2]; uint step[2]; uint before[2]; uint dilation[2];
#include "common/strided.glsl"

void main() {
  const uint row_bytes = ACLVK_ARGUMENT(row_bytes);
  const uvec2 places = uvec2(ACLVK_ARGUMENT(shape[0]), ACLVK_ARGUMENT(shape[1]));
  const uvec2 kernel = uvec2(ACLVK_ARGUMENT(kernel[0]), ACLVK_ARGUMENT(kernel[1]));
  const uvec2 extent = uvec2(ACLVK_ARGUMENT(extent[0]), ACLVK_ARGUMENT(extent[1]));
  const uvec2 step = uvec2(ACLVK_ARGUMENT(step[0]), ACLVK_ARGUMENT(step[1]));
  const uvec2 before = uvec2(ACLVK_ARGUMENT(before[0]), ACLVK_ARGUMENT(before[1]));
  const uvec2 dilation = uvec2(ACLVK_ARGUMENT(dilation[0]), ACLVK_ARGUMENT(dilation[1]));
  if (!find_lanes()) return;
  const uvec2 gradients = lanes.slots[0];
  const uvec2 masks = lanes.slots[1];
  uint plane[4];
  uvec2 reach[4];  // from where windows begin at the earliest
  T sum[LANES];
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    const uint number = lane_element(0, i);
    plane[i] = number / (extent.x * extent.y);
    const uint rest = number - plane[i] * extent.x * extent.y;
    reach[i] = uvec2(rest / extent.y, rest % extent.y) + before;
    sum[i] = T(0);
  }
  for (uint row = 0; row < kernel.x; ++row) {  // turns: ops/pooling/pooling.cpp counts them
    for (uint column = 0; column < kernel.y; ++column) {  // turns: as above
      [[unroll]] for (uint i = 0; i < 4; ++i) {
        const uvec2 begin = reach[i] - uvec2(row, column) * dilation;  // wraps where no window is
        const uvec2 window = begin / step;
        const bool there = window.x < places.x && window.y < places.y && window * step == begin;
        const uint place = there ? window.x * places.y + window.y : 0u;
        const uint byte = ((plane[i] * kernel.x + row) * kernel.y + column) * row_bytes + place / 8u;
        const bool chosen = there && (element_1(masks, byte, 1u).x >> (place & 7u) & 1u) != 0u;
        const uint at = plane[i] * places.x * places.y + place;
        if (chosen) sum[i] += decode(element_0(gradients, at, kSize0), kDtype0);
      }
    }
  }
  STORE(2, sum);
}
