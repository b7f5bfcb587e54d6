#version 460
#extension GL_GOOGLE_include_directive : require
// variants: bits
// Byte z[n] has the bits of elements 8 n to 8 n + 7, low bits first: 1 for elements that are kept, whose random word is at least `dropped`.
// With a noise shape (operand 2, int64) the mask broadcasts: an element uses the word of the element with index 0 in the dims in which the
// noise shape is 1.

#include "random/mask.args.h"
#include "random/source.args.h"
#define OPERANDS 4
#define INDEXED_OPERANDS 3
#define OWN_ARGUMENTS(ARGUMENT, ARRAY) SOURCE_ARGUMENTS(ARGUMENT, ARRAY) MASK_ARGUMENTS(ARGUMENT, ARRAY)
#include "common/strided.glsl"
#include "random/source.glsl"

ACLVK_CONSTANTS(MASK_CONSTANTS)

uint noise_number(uint element) {
  const uvec2 slot = lanes.slots[2];
  const uint step = ACLVK_ARGUMENT(noise_step);
  uint rest = element;
  uint number = 0;
  uint stride = 1;
  for (uint dim = ACLVK_ARGUMENT(rank); dim > 0; --dim) {  // iterations: at most eight dims
    const uint size = ACLVK_ARGUMENT(shape[dim - 1u]);
    const uint index = rest % size;
    rest /= size;
    const bool repeats = word_2(slot, (dim - 1u) * step * 8u) == 1u;
    number += repeats ? 0u : index * stride;
    stride *= repeats ? 1u : size;
  }
  return number;
}

void main() {
  const Source given = SOURCE_GIVEN;
  const uint dropped = ACLVK_ARGUMENT(dropped);
  if (!find_lanes()) return;
  const Source source = source_now(given);
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    const uint byte = lane_element(0, i);
    uint bits = 0;
    if (kHasNoiseShape) {
      for (uint bit = 0; bit < 8; ++bit) {
        const uint number = noise_number(byte * 8u + bit);
        const uvec4 block = block_of(source, number / 4u);
        const uint low = (number & 1u) != 0u ? block.y : block.x;
        const uint high = (number & 1u) != 0u ? block.w : block.z;
        bits |= uint(((number & 2u) != 0u ? high : low) >= dropped) << bit;
      }
    } else {
      const uvec4 first = block_of(source, byte * 2u);
      const uvec4 second = block_of(source, byte * 2u + 1u);
      [[unroll]] for (uint bit = 0; bit < 4; ++bit) {
        bits |= uint(first[bit] >= dropped) << bit | uint(second[bit] >= dropped) << bit + 4u;
      }
    }
    raw[i] = uvec4(bits, 0u, 0u, 0u);
  }
  STORE_BITS(3);
}
