#version 460
#extension GL_GOOGLE_include_directive : require
// variants: bits
// Segments of z begin where `to` says (int32, with the end of the last one), those of the input where `from` says. z numbers the
// elements of the input in the order of the segments that `permute` gives. What no segment has is left 0.

#define OPERANDS 4
#define RANDOM_ACCESS 3
#define FAMILY_WORDS 4
#define FAMILY_ARGUMENTS uint segments; uint permute_step; uint from_step; uint to_step;
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
    while (low < high) {  // iterations: halves a range
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
