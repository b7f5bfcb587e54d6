// Converts elements of operand 0 to keys, whose order as unsigned integers is that of the elements (as for radix sorts). A shader declares
// the constants kDtype and kSize, the dtype and the bytes of an element, before it includes this.

uvec2 element_of(uvec2 slot, uint index) {
  const uint at = index * kSize;
  if (kSize == 8u) return uvec2(word_0(slot, at), word_0(slot, at + 4u));  // 8-byte elements may be aligned to 4 bytes
  const uint shift = (base_of(slot) + at & 3u) * 8u;
  const uint word = word_0(slot, at) >> (kSize == 4u ? 0u : shift);
  return uvec2(kSize == 2u ? word & 0xFFFFu : kSize == 1u ? word & 0xFFu : word, 0u);
}

// Returns the word with an element's sign and exponent; 16-bit floats are shifted to its upper half.
uint highest_word(uvec2 element) {
  return kSize == 8u ? element.y : kDtype == kFloat16 || kDtype == kBfloat16 ? element.x << 16 : element.x;
}

bool is_nan(uint high, uvec2 element) {
  const uint infinite = kDtype == kDouble ? 0x7FF00000u : kDtype == kFloat16 ? 0x7C000000u : 0x7F800000u;
  const uint magnitude = high & 0x7FFFFFFFu;
  return magnitude > infinite || kDtype == kDouble && magnitude == infinite && element.x != 0u;
}

// -0 gets the key of 0, so that the sort is stable for both zeros.
uvec2 key_of_real(uvec2 element, uint nan_key) {
  const uint high = highest_word(element);
  const uint low = kSize == 8u ? element.x : 0u;
  const bool negative = (high & 0x80000000u) != 0u && ((high & 0x7FFFFFFFu) | low) != 0u;
  const uvec2 key = negative ? uvec2(~low, ~high) : uvec2(low, high | 0x80000000u);
  return is_nan(high, element) ? uvec2(nan_key) : key;
}

// For narrow keys only the first word is used. `key_mask` is all ones for descending order.
uvec2 key_of(uvec2 element, uint nan_key, uint key_mask) {
  uvec2 key = element;
  if (is_floating(kDtype)) {
    key = key_of_real(element, nan_key);
    if (kSize != 8u) key.x = key.y;
  } else if (kDtype == kInt8) {
    key.x = uint(bitfieldExtract(int(element.x), 0, 8)) ^ 0x80000000u;
  } else if (kDtype == kInt16) {
    key.x = uint(bitfieldExtract(int(element.x), 0, 16)) ^ 0x80000000u;
  } else if (kDtype == kInt32) {
    key.x = element.x ^ 0x80000000u;
  } else if (kDtype == kInt64) {
    key.y = element.y ^ 0x80000000u;
  } else if (kDtype == kBool) {
    key.x = uint(element.x != 0u);
  }
  return key ^ key_mask;
}
