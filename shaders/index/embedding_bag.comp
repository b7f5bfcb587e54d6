#version 460
#extension GL_GOOGLE_include_directive : require
// variants: bits
// Reduces embedding rows over bags of indices. kKind 0: the sum of a column (float); 1: the row with the column's maximum (int32, -1 for
// none); 2: the number of rows (int32). Bag b has the indices from offset b up to the next offset, or to the end. The padding row is
// skipped, and out-of-range indices add 0. A kernel takes `span` indices of each bag, from `first` on. Operands: the matrix (a lane starts
// at its column), the indices, the offsets (a lane starts at its bag), weights of indices or sizes of bags, and the result.

#include "index/embedding_bag.args.h"
#define OPERANDS 5
#define INDEXED_OPERANDS 4
#define OWN_ARGUMENTS EMBEDDING_BAG_ARGUMENTS
#include "common/strided.glsl"
ACLVK_LOADS(4)
#include "common/bounded_loop.glsl"

ACLVK_CONSTANTS(EMBEDDING_BAG_CONSTANTS)
#include "common/indices.glsl"
const uint kSum = 0, kMax = 1, kSize = 2;
const bool kWeighted = (kFlags & 1u) != 0;  // rows are multiplied by weights
const bool kMean = (kFlags & 2u) != 0;      // the sum is divided by the size
const bool kContinues = (kFlags & 4u) != 0;   // continues from the result of the previous kernel

uint rows;
uint row_step;
uint padding;

// The state of a bag.
struct Bag {
  float sum;
  float max_value;
  int number;  // the number of rows, or the index of the row
};

float matrix_element(uint lane, uint position) {
  return bits_to_real(element_0(lanes.slots[0], lane_element(0, lane) + position * row_step, kSize0), kDtype0, kFloat);
}

void visit(inout Bag bag, uint lane, uint entry, uint index_step, uint weight_step) {
  const uint position = resolve_index(element_1(lanes.slots[1], entry * index_step, kSize1), kDtype1, rows);
  const bool exists = position < rows;
  if (exists && position == padding) return;
  if (kKind == kSize) {
    ++bag.number;
  } else if (exists) {
    const float x = matrix_element(lane, position);
    if (kKind == kMax) {
      if (bag.number < 0 || x > bag.max_value) {
        bag.max_value = x;
        bag.number = int(position);
      }
    } else {
      bag.sum += kWeighted ? x * bits_to_real(element_3(lanes.slots[3], entry * weight_step, kSize3), kDtype3, kFloat) : x;
    }
  }
}

// An offset, at most `count`.
uint offset_at(uint number, uint step, uint count) {
  const uvec4 bits = element_2(lanes.slots[2], number * step, kSize2);
  const uint upper = kDtype2 == kInt64 ? bits.y : int(bits.x) < 0 ? ~0u : 0u;
  return int(upper) < 0 ? 0u : upper != 0u ? count : min(bits.x, count);
}

Bag bag_before(uint lane) {
  Bag bag = Bag(0.0, 0.0, kKind == kMax ? -1 : 0);
  if (kContinues) {
    const uint bits = element_4(lanes.slots[4], lane_element(4, lane), 4u).x;
    if (kKind == kSum) bag.sum = uintBitsToFloat(bits);
    else bag.number = int(bits);
    if (kKind == kMax && bag.number >= 0) bag.max_value = matrix_element(lane, uint(bag.number));
  }
  return bag;
}

uvec4 result_of(Bag bag, uint lane) {
  if (kKind != kSum) return uvec4(uint(bag.number), 0u, 0u, 0u);
  const uint size = kMean ? element_3(lanes.slots[3], lane_element(2, lane), 4u).x : 1u;
  return real_to_bits(kMean ? bag.sum / float(max(size, 1u)) : bag.sum, kDtype4);
}

void main() {
  rows = ACLVK_ARGUMENT(rows);
  row_step = ACLVK_ARGUMENT(row_step);
  padding = ACLVK_ARGUMENT(padding);
  const uint count = ACLVK_ARGUMENT(count);
  const uint index_step = ACLVK_ARGUMENT(index_step);
  const uint offset_step = ACLVK_ARGUMENT(offset_step);
  const uint weight_step = ACLVK_ARGUMENT(weight_step);
  const uint offsets = ACLVK_ARGUMENT(offsets);
  const uint first = ACLVK_ARGUMENT(first);
  const uint span = ACLVK_ARGUMENT(span);
  if (!find_lanes()) return;
  Bag bags[4];
  uint begins[4];
  uint lengths[4];
  uint longest = 0;
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    const uint number = lane_element(2, i);
    const uint begin = offset_at(number, offset_step, count);
    const uint end = number + 1u < offsets ? offset_at(number + 1u, offset_step, count) : count;
    const uint length = end > begin ? end - begin : 0u;
    begins[i] = begin + min(first, length);
    lengths[i] = min(length - min(first, length), span);
    longest = max(longest, lengths[i]);
    bags[i] = bag_before(i);
  }
  LOOP_OVER(t, 0u, longest, 1u) {
    [[unroll]] for (uint i = 0; i < 4; ++i) {
      if (t < lengths[i]) visit(bags[i], i, begins[i] + t, index_step, weight_step);
    }
  }
  [[unroll]] for (uint i = 0; i < 4; ++i) raw[i] = result_of(bags[i], i);
  STORE_BITS(4);
}
