// Operand 0 of a kernel whose rows have weights and may be inactive: two words for each row
// (shaders/glu/row_mask.comp), or one element, w. The other operands are accessed as four independent lanes.

const bool kRowMask = kDtype0 == kComplex64;

T weights[4];
bool is_active[4];  // true: the lane's row is computed

void load_row_mask() {
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    const uvec4 bits = element_0(lanes.slots[0], lane_element(0, i), kSize0);
    weights[i] = kRowMask ? T(uintBitsToFloat(bits.x)) : decode(bits, kDtype0);
    is_active[i] = i < lanes.count && (!kRowMask || bits.y != 0u);
  }
}

bool all_active() {
  bool all = true;
  [[unroll]] for (uint i = 0; i < 4; ++i) all = all && (is_active[i] || i >= lanes.count);
  return all;
}

// Stores the elements of active rows only; other elements keep their contents.
#define STORE_ACTIVE(k, values) STORE_ACTIVE_(k, values)
#define STORE_ACTIVE_(k, values)                                                                 \
  [[unroll]] for (uint i = 0; i < 4; ++i) raw[i] = encode(values[i], kDtype##k);                   \
  if (all_active()) {                                                                               \
    store_bits_##k();                                                                              \
  } else {                                                                                         \
    [[unroll]] for (uint i = 0; i < 4; ++i) {                                                      \
      if (is_active[i]) set_element_##k(lanes.slots[k], lane_element(k, i), kSize##k, raw[i]);        \
    }                                                                                              \
  }
