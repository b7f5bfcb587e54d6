// Loads and stores of elements of any size, as bits: one, or a vec8 of eight adjacent ones. A shader declares the functions of operand
// k with ELEMENT_INPUT(k) or ELEMENT_OUTPUT(k). Indices count elements from the operand's start; `size` is an element's bytes.
//
//     uvec4 element_k(slot, index, size), void vec8_k(slot, index, size)                loads; a vec8 goes to raw
//     void set_element_k(slot, index, size, bits), void set_vec8_k(slot, index, size)   stores; a vec8 comes from raw
//
// A vec8 is aligned to its bytes, at most 32.

#include "common/single_element.glsl"

uint size_of(uint dtype) {
  return
#define DTYPE(member, name, value, bytes, kind) dtype == value ? uint(bytes) :
#include "ops/tensor/dtype.def"
#undef DTYPE
                  0u;
}

// The bits of a vec8's elements.
uvec4 raw[8];

void halves_to_raw(uvec4 words) {
  [[unroll]] for (uint i = 0; i < 8; ++i) raw[i] = uvec4(words[i / 2] >> 16 * (i & 1u) & 0xFFFFu, 0u, 0u, 0u);
}
uvec4 halves_of_raw() {
  uvec4 words;
  [[unroll]] for (uint i = 0; i < 4; ++i) words[i] = raw[2 * i].x & 0xFFFFu | raw[2 * i + 1].x << 16;
  return words;
}

#define ELEMENT_INPUT(k)                                                                                           \
  SINGLE_INPUT(k)                                                                                                  \
  void vec8_##k(uvec2 slot, uint index, uint size) {                                                               \
    const uint at = index * size;                                                                                  \
    if (size == 16) {                                                                                              \
      [[unroll]] for (uint i = 0; i < 8; ++i) raw[i] = words4_##k(slot, at + 16 * i);                              \
    } else if (size == 8) {                                                                                        \
      [[unroll]] for (uint half_line = 0; half_line < 2; ++half_line) {                                            \
        const Words words = words8_##k(slot, at + 32 * half_line);                                                 \
        raw[4 * half_line] = uvec4(words.low.xy, 0u, 0u);                                                          \
        raw[4 * half_line + 1] = uvec4(words.low.zw, 0u, 0u);                                                      \
        raw[4 * half_line + 2] = uvec4(words.high.xy, 0u, 0u);                                                     \
        raw[4 * half_line + 3] = uvec4(words.high.zw, 0u, 0u);                                                     \
      }                                                                                                            \
    } else if (size == 4) {                                                                                        \
      const Words words = words8_##k(slot, at);                                                                    \
      [[unroll]] for (uint i = 0; i < 4; ++i) raw[i] = uvec4(words.low[i], 0u, 0u, 0u);                            \
      [[unroll]] for (uint i = 0; i < 4; ++i) raw[i + 4] = uvec4(words.high[i], 0u, 0u, 0u);                       \
    } else if (size == 2) {                                                                                        \
      halves_to_raw(words4_##k(slot, at));                                                                         \
    } else {                                                                                                       \
      const uvec2 words = words2_##k(slot, at);                                                                    \
      [[unroll]] for (uint i = 0; i < 8; ++i) raw[i] = uvec4(words[i / 4] >> 8 * (i & 3u) & 0xFFu, 0u, 0u, 0u);    \
    }                                                                                                              \
  }

#define ELEMENT_OUTPUT(k)                                                                                 \
  SINGLE_OUTPUT(k)                                                                                        \
  void set_vec8_##k(uvec2 slot, uint index, uint size) {                                                  \
    const uint at = index * size;                                                                         \
    if (size == 16) {                                                                                     \
      [[unroll]] for (uint i = 0; i < 8; ++i) set_words4_##k(slot, at + 16 * i, raw[i]);                  \
    } else if (size == 8) {                                                                               \
      set_words8_##k(slot, at, Words(uvec4(raw[0].xy, raw[1].xy), uvec4(raw[2].xy, raw[3].xy)));          \
      set_words8_##k(slot, at + 32, Words(uvec4(raw[4].xy, raw[5].xy), uvec4(raw[6].xy, raw[7].xy)));     \
    } else if (size == 4) {                                                                               \
      set_words8_##k(slot, at, Words(uvec4(raw[0].x, raw[1].x, raw[2].x, raw[3].x),                       \
                                     uvec4(raw[4].x, raw[5].x, raw[6].x, raw[7].x)));                     \
    } else if (size == 2) {                                                                               \
      set_words4_##k(slot, at, halves_of_raw());                                                          \
    } else {                                                                                              \
      uvec2 words = uvec2(0u);                                                                            \
      [[unroll]] for (uint i = 0; i < 8; ++i) words[i / 4] |= (raw[i].x & 0xFFu) << 8 * (i & 3u);         \
      set_words2_##k(slot, at, words);                                                                    \
    }                                                                                                     \
  }
