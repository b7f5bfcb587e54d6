// The variant `segment` of flash.comp, for sequences of more keys than a loop may have iterations. Several kernels run one after the
// other; each visits the keys from `from` to `to` for `tiles` of the tiles. The state of a row (accumulators, row_max, row_sum) is kept
// in one more operand from the first segment that the tile sees to the last one, which stores the result.

ACLVK_OPERAND(9)
ELEMENT_INPUT(9)  // for each thread and row its accumulators, then a vec8 that starts with row_max and row_sum
ELEMENT_OUTPUT(9)

const uint kStateOfRow = 8 * (kVVec8s + 1);
uint state_start;
bool keeps_state;

// Finds the state of a tile and the tile's number among all; returns false past the last tile.
bool locate_state(inout uint tile_number) {
  if (tile_number >= ACLVK_ARGUMENT(tiles)) return false;
  state_start = (tile_number * kLanes + lane()) * kRows * kStateOfRow;
  tile_number += ACLVK_ARGUMENT(first_tile);
  return true;
}

void load_state() {
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    const uint start = state_start + r * kStateOfRow;
    [[unroll]] for (uint vec = 0; vec < kVVec8s; ++vec) {
      vec8_9(slots[9], start + 8 * vec, 4);
      [[unroll]] for (uint j = 0; j < 8; ++j) acc[r][8 * vec + j] = uintBitsToFloat(raw[j].x);
    }
    const uvec2 rest = words2_9(slots[9], 4 * (start + 8 * kVVec8s));
    row_max[r] = uintBitsToFloat(rest.x);
    row_sum[r] = uintBitsToFloat(rest.y);
  }
}

void store_state() {
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    const uint start = state_start + r * kStateOfRow;
    [[unroll]] for (uint vec = 0; vec < kVVec8s; ++vec) {
      [[unroll]] for (uint j = 0; j < 8; ++j) raw[j] = uvec4(floatBitsToUint(acc[r][8 * vec + j]), 0u, 0u, 0u);
      set_vec8_9(slots[9], start + 8 * vec, 4);
    }
    set_words2_9(slots[9], 4 * (start + 8 * kVVec8s), uvec2(floatBitsToUint(row_max[r]), floatBitsToUint(row_sum[r])));
  }
}

// Intersects the keys that the tile sees with those of the segment; returns false where there are none. A tile that sees no key at all is
// stored by the first segment.
bool begin_segment(inout uint first, inout uint last) {
  const uint from = ACLVK_ARGUMENT(from);
  const uint to = ACLVK_ARGUMENT(to);
  if (first >= last) first = last = 0;
  const bool is_first = from == 0 && last == 0;
  if (!is_first && (last <= from || first >= to)) return false;
  if (first < from) load_state();
  keeps_state = last > to;
  first = max(first, from);
  last = min(last, to);
  return true;
}

// Stores the state and returns true if a later segment continues.
bool end_segment() {
  if (keeps_state) store_state();
  return keeps_state;
}
