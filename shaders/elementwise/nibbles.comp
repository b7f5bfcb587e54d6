#version 460
#extension GL_GOOGLE_include_directive : require
// variants: i32
// Unpacks 4-bit elements to bytes, eight from a word, low bits first: INT4 to INT8, and 4-bit floats to FLOAT8_E4M3FN, which represents
// all of them. Operands are the words and the bytes.

#include "elementwise/nibbles.args.h"
#define OPERANDS 2
#define OWN_ARGUMENTS NIBBLES_ARGUMENTS
#include "common/kernel.glsl"

layout(local_size_x = 64) in;
ACLVK_CONSTANTS(NIBBLES_CONSTANTS)
const uint kE2M1 = 40, kE1M2 = 41;

// A table of the E4M3 codes of 0 to 6 (E2M1) or 0 to 1.75 (E1M2), four in a word.
uint float8_of(uint code) {
  const uint low = kElements == kE2M1 ? 0x3C383000u : 0x34302800u;
  const uint high = kElements == kE2M1 ? 0x4C484440u : 0x3E3C3A38u;
  return bitfieldExtract((code & 4u) != 0 ? high : low, int(8 * (code & 3u)), 8) | (code & 8u) << 4;
}

uint byte_of(uint word, uint nibble) {
  if (kElements == kE2M1 || kElements == kE1M2) return float8_of(bitfieldExtract(word, int(4 * nibble), 4));
  return uint(bitfieldExtract(int(word), int(4 * nibble), 4)) & 0xFFu;
}

void main() {
  const uint words = ACLVK_ARGUMENT(words);
  const uvec2 from = slot_of(0);
  const uvec2 to = slot_of(1);
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint at = group * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (at >= words) return;
  const uint word = word_0(from, 4 * at);
  const uint low = byte_of(word, 0) | byte_of(word, 1) << 8 | byte_of(word, 2) << 16 | byte_of(word, 3) << 24;
  const uint high = byte_of(word, 4) | byte_of(word, 5) << 8 | byte_of(word, 6) << 16 | byte_of(word, 7) << 24;
  set_word_1(to, 8 * at, low);
  set_word_1(to, 8 * at + 4, high);
}
