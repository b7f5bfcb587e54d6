#version 460
#extension GL_GOOGLE_include_directive : require
// variants: bits
// One class of a sample against the sample's targets, which end before the first negative index: whether it is a target
// (operand 2), and if not its term of the margin loss (operand 3). Operands 0 and 1 are x and the targets, both
// row-major. lane_element(0, i) is the sample's first class, lane_element(1, i) the lane's class.

#include "loss/multilabel.args.h"
#define OPERANDS 4
#define INDEXED_OPERANDS 2
#define OWN_ARGUMENTS MULTILABEL_ARGUMENTS
#include "common/strided.glsl"
ACLVK_CONSTANTS(MULTILABEL_CONSTANTS)
#include "common/indices.glsl"

ACLVK_STORES(2)

float element_of_x(uint index) { return bits_to_real(element_0(lanes.slots[0], index, kSize0), kDtype0, kFloat); }

void main() {
  const uint classes = ACLVK_ARGUMENT(classes);
  if (!find_lanes()) return;
  bool is_target[4];
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    const uint first = lane_element(0, i);
    const uint own = lane_element(1, i);
    const float x = element_of_x(first + own);
    float sum = 0.0;
    is_target[i] = false;
    for (uint k = 0; k < classes; ++k) {  // iterations: ops/loss/multilabel.cpp counts them
      const uvec4 target = element_1(lanes.slots[1], first + k, kSize1);
      if (int(kDtype1 == kInt64 ? target.y : target.x) < 0) break;
      const uint place = resolve_index(target, kDtype1, classes);
      if (place >= classes) continue;
      is_target[i] = is_target[i] || place == own;
      const float margin = 1.0 - element_of_x(first + place) + x;
      if (margin > 0.0) sum += margin;
    }
    raw[i] = real_to_bits(is_target[i] ? 0.0 : sum, kDtype3);
  }
  STORE_BITS(3);
  [[unroll]] for (uint i = 0; i < 4; ++i) raw[i] = real_to_bits(is_target[i] ? 1.0 : 0.0, kDtype2);
  STORE_BITS(2);
}
