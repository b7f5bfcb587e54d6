#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// z = x * scale where the mask's bit of the element is 1, else 0. Bit n is bit n % 8 of byte n / 8.

#include "random/dropout.args.h"
#define OPERANDS 3
#define INDEXED_OPERANDS 1
#define OWN_ARGUMENTS DROPOUT_ARGUMENTS
#include "common/strided.glsl"

void main() {
  const float scale = ACLVK_ARGUMENT(scale);
  const uint mask_step = ACLVK_ARGUMENT(mask_step);
  if (!find_lanes()) return;
  const uvec2 mask = lanes.slots[0];
  T x[LANES];
  LOAD(1, x);
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    const uint number = lane_element(0, i);
    const uint byte = element_0(mask, number / 8u * mask_step, 1u).x;
    x[i] = (byte >> (number & 7u) & 1u) != 0u ? x[i] * scale : T(0);
  }
  STORE(2, x);
}
