#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// The gradient of the input of a pooling whose maxima are in a mask (mask.comp): each element gets those of the windows that have their
// maximum there. Operand 0 is the gradient of the result, operand 1 the mask, both contiguous; lanes number the elements along them.

#define OPERANDS 3
#define RANDOM_ACCESS 2
#define FAMILY_WORDS 21
#define FAMILY_ARGUMENTS                                                                                                      \
  uint row_bytes; uint shape[2]; uint kernel[2]; uint extent[2]; uint step[2]; uint before[2]; uint dilation[2];              \
  uint divisor[2]; uint period[2]; uint inverse[2]; uint most[2];
#include "common/covering.glsl"
#include "common/strided.glsl"

void main() {
  const uint row_bytes = ACLVK_ARGUMENT(row_bytes);
  const uvec2 places = uvec2(ACLVK_ARGUMENT(shape[0]), ACLVK_ARGUMENT(shape[1]));
  const uvec2 kernel = uvec2(ACLVK_ARGUMENT(kernel[0]), ACLVK_ARGUMENT(kernel[1]));
  const uvec2 extent = uvec2(ACLVK_ARGUMENT(extent[0]), ACLVK_ARGUMENT(extent[1]));
  const uvec2 step = uvec2(ACLVK_ARGUMENT(step[0]), ACLVK_ARGUMENT(step[1]));
  const uvec2 before = uvec2(ACLVK_ARGUMENT(before[0]), ACLVK_ARGUMENT(before[1]));
  const uvec2 dilation = uvec2(ACLVK_ARGUMENT(dilation[0]), ACLVK_ARGUMENT(dilation[1]));
  const uvec2 period = uvec2(ACLVK_ARGUMENT(period[0]), ACLVK_ARGUMENT(period[1]));
  const uvec2 most = uvec2(ACLVK_ARGUMENT(most[0]), ACLVK_ARGUMENT(most[1]));
  Covering covering[2];
  [[unroll]] for (uint d = 0; d < 2; ++d) {
    covering[d] = Covering(int(places[d]), int(kernel[d]), int(step[d]), int(dilation[d]), int(ACLVK_ARGUMENT(divisor[d])),
                           int(period[d]), int(ACLVK_ARGUMENT(inverse[d])));
  }
  if (!find_lanes()) return;
  const uvec2 gradients = lanes.slots[0];
  const uvec2 masks = lanes.slots[1];
  uint plane[4];
  uvec2 reach[4];  // from where windows begin at the earliest
  uvec2 taps[4];   // the first through which windows see the element, and how many do
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
  for (uint turn = 0; turn < most.x * most.y; ++turn) {  // iterations: a mask of 2^31 bytes has 2^30 bits that count, so 2^15 windows see an element
    const uvec2 number = uvec2(turn / most.y, turn % most.y);
    [[unroll]] for (uint i = 0; i < 4; ++i) {
      const bool there = number.x < count[i].x && number.y < count[i].y;
      const uvec2 tap = taps[i] + number * period;
      const uvec2 window = (reach[i] - tap * dilation) / step;
      const uint place = there ? window.x * places.y + window.y : 0u;
      const uint position = there ? tap.x * kernel.y + tap.y : 0u;
      const uint byte = (plane[i] * kernel.x * kernel.y + position) * row_bytes + place / 8u;
      const bool chosen = there && (element_1(masks, byte, 1u).x >> (place & 7u) & 1u) != 0u;
      const uint at = plane[i] * places.x * places.y + place;
      if (chosen) sum[i] += decode(element_0(gradients, at, kSize0), kDtype0);
    }
  }
  STORE(2, sum);
}
