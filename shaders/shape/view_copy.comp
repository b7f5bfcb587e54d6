#version 460
#extension GL_GOOGLE_include_directive : require
// variants: bits
// Copies elements between two views that are described in device memory: operand 0 has six rows of eight numbers: sizes, strides and offset
// of the target, then those of the source. Lanes are linear indices of elements. Skips elements that a view does not have, and those
// outside of its storage.

#include "shape/view_copy.args.h"
#define OPERANDS 3
#define INDEXED_OPERANDS 3
#define OWN_ARGUMENTS VIEW_COPY_ARGUMENTS
#include "common/strided.glsl"

const uint kNoIndex = ~0u;

// Reads a size, a stride or an offset. Returns kNoIndex for a value beyond any storage.
uint number_at(uint row, uint column) {
  const uvec4 bits = element_0(lanes.slots[0], row * 8 + column, kSize0);
  const bool fits = kDtype0 == kInt64 ? bits.y == 0u : int(bits.x) >= 0;
  return fits ? bits.x : kNoIndex;
}

// Returns the offset of an element of the view whose rows start at `row`.
uint offset_of(uint element, uint row, uint rank, uint elements) {
  uint at = number_at(row + 2, 0);
  bool inside = at < elements;
  uint rest = element;
  for (uint dim = rank; dim > 0; --dim) {  // iterations: at most eight dims
    const uint size = number_at(row, dim - 1);
    const uint stride = number_at(row + 1, dim - 1);
    const uint index = size == 0 ? 0 : rest % size;
    uint high;
    uint low;
    umulExtended(index, stride, high, low);
    inside = inside && size != 0 && high == 0 && low < elements - at;
    at += inside ? low : 0;
    rest = size == 0 ? 0 : rest / size;
  }
  return inside && rest == 0 ? at : kNoIndex;
}

void main() {
  const uint target_rank = ACLVK_ARGUMENT(target_rank);
  const uint source_rank = ACLVK_ARGUMENT(source_rank);
  const uint target_elements = ACLVK_ARGUMENT(target_elements);
  const uint source_elements = ACLVK_ARGUMENT(source_elements);
  if (!find_lanes()) return;
  for (uint i = 0; i < lanes.count; ++i) {  // iterations: at most four lanes
    const uint element = lane_element(0, i);
    const uint to = offset_of(element, 0, target_rank, target_elements);
    const uint from = offset_of(element, 3, source_rank, source_elements);
    if (to == kNoIndex || from == kNoIndex) continue;
    set_element_2(lanes.slots[2], to, kSize2, element_1(lanes.slots[1], from, kSize1));
  }
}
