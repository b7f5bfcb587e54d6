// What flash.comp has besides where several kernels walk over the keys, one after the other. Each looks at the keys from `from` to `to`,
// for `tiles` of the tiles. What a row has by then (its sums, its top, its total) waits in one more operand, from the part with the
// first key that the tile sees to that with the last one, which stores the result.

ACLVK_OPERAND(9)
ELEMENT_INPUT(9)  // for each thread and row its sums, and eight more that begin with top and total
ELEMENT_OUTPUT(9)

const uint kStateOfRow = 8 * (kColumnVec8s + 1);
uint state_start;
bool leaves_state;

// Where the state of a tile is, and which of all it is; false for one behind the last.
bool find_state(inout uint tile) {
  if (tile >= ACLVK_ARGUMENT(tiles)) return false;
  state_start = (tile * kLanes + lane()) * kRows * kStateOfRow;
  tile += ACLVK_ARGUMENT(first_tile);
  return true;
}

void load_state() {
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    const uint start = state_start + r * kStateOfRow;
    [[unroll]] for (uint vec = 0; vec < kColumnVec8s; ++vec) {
      vec8_9(slots[9], start + 8 * vec, 4);
      [[unroll]] for (uint j = 0; j < 8; ++j) sums[r][8 * vec + j] = uintBitsToFloat(raw[j].x);
    }
    const uvec2 rest = words2_9(slots[9], 4 * (start + 8 * kColumnVec8s));
    top[r] = uintBitsToFloat(rest.x);
    total[r] = uintBitsToFloat(rest.y);
  }
}

void store_state() {
  [[unroll]] for (uint r = 0; r < kRows; ++r) {
    const uint start = state_start + r * kStateOfRow;
    [[unroll]] for (uint vec = 0; vec < kColumnVec8s; ++vec) {
      [[unroll]] for (uint j = 0; j < 8; ++j) raw[j] = uvec4(floatBitsToUint(sums[r][8 * vec + j]), 0u, 0u, 0u);
      set_vec8_9(slots[9], start + 8 * vec, 4);
    }
    set_words2_9(slots[9], 4 * (start + 8 * kColumnVec8s), uvec2(floatBitsToUint(top[r]), floatBitsToUint(total[r])));
  }
}

// Of the keys that the tile sees those of this part; false where it has none. Where the tile sees none at all the first part stores that.
bool begin_part(inout uint first, inout uint last) {
  const uint from = ACLVK_ARGUMENT(from);
  const uint to = ACLVK_ARGUMENT(to);
  if (first >= last) first = last = 0;
  const bool is_first = from == 0 && last == 0;
  if (!is_first && (last <= from || first >= to)) return false;
  if (first < from) load_state();
  leaves_state = last > to;
  first = max(first, from);
  last = min(last, to);
  return true;
}

// Whether a later part goes on.
bool leave_part() {
  if (leaves_state) store_state();
  return leaves_state;
}
