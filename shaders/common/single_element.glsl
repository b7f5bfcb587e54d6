// The functions that load and store one element of operand k, as bits. Indices count elements from the operand's start; `size` is an
// element's bytes.

#define SINGLE_INPUT(k)                                                      \
  uvec4 element_##k(uvec2 slot, uint index, uint size) {                     \
    const uint at = index * size;                                            \
    if (size == 16) return words4_##k(slot, at);                             \
    if (size == 8) return uvec4(words2_##k(slot, at), 0u, 0u);               \
    const uint word = word_##k(slot, at);                                    \
    if (size == 4) return uvec4(word, 0u, 0u, 0u);                           \
    const uint shift = (base_of(slot) + at & 3u) * 8;                        \
    return uvec4(word >> shift & (size == 2 ? 0xFFFFu : 0xFFu), 0u, 0u, 0u); \
  }

#define SINGLE_OUTPUT(k)                                                                 \
  void set_element_##k(uvec2 slot, uint index, uint size, uvec4 bits) {                  \
    const uint at = index * size;                                                        \
    if (size == 16) {                                                                    \
      set_words4_##k(slot, at, bits);                                                    \
    } else if (size == 8) {                                                              \
      set_words2_##k(slot, at, bits.xy);                                                 \
    } else if (size == 4) {                                                              \
      set_word_##k(slot, at, bits.x);                                                    \
    } else {                                                                             \
      const uint shift = (base_of(slot) + at & 3u) * 8;                                  \
      merge_word_##k(slot, at, (size == 2 ? 0xFFFFu : 0xFFu) << shift, bits.x << shift); \
    }                                                                                    \
  }
