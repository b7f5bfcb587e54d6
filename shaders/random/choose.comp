#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// z = the index of the row's element that a random fraction of the row's total selects: a binary search in `sums`, the running sums of the
// weights x. Lanes are the number of the draw and the start of the row.

#include "random/choose.args.h"
#include "random/source.args.h"
#define OPERANDS 5
#define INDEXED_OPERANDS 4
#define OWN_ARGUMENTS(ARGUMENT, ARRAY) SOURCE_ARGUMENTS(ARGUMENT, ARRAY) CHOOSE_ARGUMENTS(ARGUMENT, ARRAY)
#include "common/strided.glsl"
#include "random/source.glsl"

const uint kMaxBack = 4096;

T share_of(Source source, uint number) {
#if WIDE_FLOATS
  const uvec4 block = block_of(source, number / 2u);
  const uvec2 own = (number & 1u) != 0u ? block.zw : block.xy;
  return (T(own.y) * 4294967296.0lf + T(own.x & ~0x7FFu)) * 5.42101086242752217e-20lf;
#else
  const uvec4 block = block_of(source, number / 4u);
  const uint low = (number & 1u) != 0u ? block.y : block.x;
  const uint high = (number & 1u) != 0u ? block.w : block.z;
  return unit_float((number & 2u) != 0u ? high : low);
#endif
}

T sum_at(uint index) { return decode(element_2(lanes.slots[2], index, kSize2), kDtype2); }
T weight_at(uint index) { return decode(element_3(lanes.slots[3], index, kSize3), kDtype3); }

void main() {
  const Source given = SOURCE_GIVEN;
  const uint count = ACLVK_ARGUMENT(count);
  const uint step = ACLVK_ARGUMENT(step);
  if (!find_lanes()) return;
  const Source source = source_now(given);
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    const uint row = lane_element(2, i);
    const uint weights = lane_element(3, i);
    const T wanted = share_of(source, lane_element(0, i)) * sum_at(row + count - 1u);
    uint low = 0;
    uint high = count - 1u;
    while (low < high) {  // iterations: binary search
      const uint middle = low + (high - low) / 2u;
      if (sum_at(row + middle) > wanted) high = middle;
      else low = middle + 1u;
    }
    // Running sums are rounded, so the search may select an element with weight 0: go back to the last one with a weight. A row
    // without positive weights has none, and may be long, so the number of steps is limited.
    const bool any = sum_at(row + count - 1u) > T(0);
    uint left = any ? min(low, kMaxBack) : 0u;
    while (left > 0u && !(weight_at(weights + low * step) > T(0))) {  // iterations: kMaxBack
      --low;
      --left;
    }
    raw[i] = uvec4(low, 0u, 0u, 0u);
  }
  STORE_BITS(4);
}
