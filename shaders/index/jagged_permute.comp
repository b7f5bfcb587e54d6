#version 460
#extension GL_GOOGLE_include_directive : require
// variants: bits
// z = the indices of the input's elements, with segments in the order of `permute`. `to` has the starts of z's segments and the end of the
// last one (int32), `from` the starts of the input's segments. Elements of z outside of all segments become 0.

#include "index/jagged_permute.args.h"
#define OPERANDS 4
#define INDEXED_OPERANDS 3
#define OWN_ARGUMENTS JAGGED_PERMUTE_ARGUMENTS
#include "common/strided.glsl"

void main() {
  const uint segments = ACLVK_ARGUMENT(segments);
  const uint permute_step = ACLVK_ARGUMENT(permute_step);
  const uint from_step = ACLVK_ARGUMENT(from_step);
  const uint to_step = ACLVK_ARGUMENT(to_step);
  if (!find_lanes()) return;
  const uvec2 permute = lanes.slots[0];
  const uvec2 from = lanes.slots[1];
  const uvec2 to = lanes.slots[2];
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    const int number = int(lane_element(0, i));
    uint low = 0;
    uint high = segments;
    while (low < high) {  // iterations: binary search
      const uint middle = low + (high - low) / 2u;
      if (int(element_2(to, (middle + 1u) * to_step, 4u).x) <= number) low = middle + 1u;
      else high = middle;
    }
    const uint segment = min(low, segments - 1u);
    const int start = int(element_2(to, segment * to_step, 4u).x);
    const uint source = element_0(permute, segment * permute_step, 4u).x;
    const bool inside = low < segments && number >= start && source < segments;
    const int first = int(element_1(from, (inside ? source : 0u) * from_step, 4u).x);
    raw[i] = uvec4(inside ? uint(first + number - start) : 0u, 0u, 0u, 0u);
  }
  STORE_BITS(3);
}
