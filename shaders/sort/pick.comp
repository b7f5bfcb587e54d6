#version 460
#extension GL_GOOGLE_include_directive : require
// variants: bits
// z = the index in its row of a sorted record's element, or the element itself, copied bit by bit from the source. Lanes are the record and
// the start of the row in the source.

#include "sort/pick.args.h"
#define OPERANDS 3
#define INDEXED_OPERANDS 2
#define OWN_ARGUMENTS PICK_ARGUMENTS
#include "common/strided.glsl"

ACLVK_CONSTANTS(PICK_CONSTANTS)
const uint kLeading = 0, kMiddleOfNumbers = 1, kNanOrFirst = 2;  // Pick of ops/sort/sorting.hpp

const uint kRecordWords = kWideKeys ? 4u : 2u;

uint record_word(uvec2 slot, uint record, uint word) { return word_0(slot, (record * kRecordWords + word) * 4u); }

// Returns whether a record has this key. NaN has the greatest key, or the lowest one.
bool has_key(uvec2 slot, uint record, uint key) {
  return record_word(slot, record, 0u) == key && (!kWideKeys || record_word(slot, record, 1u) == key);
}

// Finds the end of the numbers before the NaNs, and returns the lower median.
uint middle_of(uvec2 slot, uint row, uint count) {
  uint low = 0;
  uint high = count;
  while (low < high) {  // iterations: binary search
    const uint half_way = low + (high - low) / 2u;
    if (has_key(slot, row + half_way, ~0u)) high = half_way;
    else low = half_way + 1u;
  }
  return (max(low, 1u) - 1u) / 2u;
}

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uint first = ACLVK_ARGUMENT(first);
  const uint step = ACLVK_ARGUMENT(step);
  if (!find_lanes()) return;
  const uvec2 sorted = lanes.slots[0];
  const uvec2 source = lanes.slots[1];
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    uint record = lane_element(0, i);
    if (kPick == kMiddleOfNumbers) record += middle_of(sorted, record, count);
    else if (kPick == kLeading || !has_key(sorted, record, 0u)) record += first;
    // The program may have overwritten the records in the workspace; clamping keeps reads inside of the row.
    const uint position = min(record_word(sorted, record, kWideKeys ? 2u : 1u), count - 1u);
    raw[i] = kElements ? element_1(source, lane_element(1, i) + position * step, kSize1) : uvec4(position, 0u, 0u, 0u);
  }
  STORE_BITS(2);
}
