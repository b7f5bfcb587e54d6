#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// Writes the weight and the mask of each row: 1.0 for the first `limit` rows, else 0.0. Operand 0 holds the limit; its
// lanes have strides that number the rows, so lane_element(0, i) is the row's index. Operand 1 holds the weights;
// without it they are 1.

#include "glu/row_mask.args.h"
#define OPERANDS 3
#define INDEXED_OPERANDS 1
#define OWN_ARGUMENTS ROW_MASK_ARGUMENTS
#include "common/strided.glsl"

ACLVK_CONSTANTS(ROW_MASK_CONSTANTS)

void main() {
  if (!find_lanes()) return;
  const uint limit = kLimited ? element_0(lanes.slots[0], 0, kSize0).x : ~0u;
  T weight[LANES];
  if (mode_of(1) == kNotLoaded) {
    [[unroll]] for (uint i = 0; i < 4; ++i) weight[i] = T(1);
  } else {
    LOAD(1, weight);
  }
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    const float is_active = lane_element(0, i) < limit ? 1.0 : 0.0;
    raw[i] = uvec4(floatBitsToUint(weight[i]), floatBitsToUint(is_active), 0u, 0u);
  }
  STORE_BITS(2);
}
