#version 460
#extension GL_GOOGLE_include_directive : require
// variants: i32
// The combined mask of attention, a byte for each pair of a query and a key: bit 0 is set where the attention mask hides the key, bit 1
// where the pair's bit of dropMask is 0, so that its weight is dropped. Bit n of dropMask is bit n % 8 of byte n / 8.

#include "attention/combined_mask.args.h"
#define OPERANDS 3
#define INDEXED_OPERANDS 1
#define OWN_ARGUMENTS COMBINED_MASK_ARGUMENTS
#include "common/strided.glsl"

ACLVK_CONSTANTS(COMBINED_MASK_CONSTANTS)

void main() {
  const uint byte_stride = ACLVK_ARGUMENT(byte_stride);
  if (!find_lanes()) return;
  const uvec2 bits = lanes.slots[0];
  T mask[LANES];
  if (kMasked != 0) {
    LOAD(1, mask);
  }
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    const uint number = lane_element(0, i);
    const uint byte = element_0(bits, number / 8u * byte_stride, 1u).x;
    const T dropped = (byte >> (number & 7u) & 1u) != 0u ? T(0) : T(2);
    mask[i] = dropped + (kMasked != 0 && mask[i] != T(0) ? T(1) : T(0));
  }
  STORE(2, mask);
}
