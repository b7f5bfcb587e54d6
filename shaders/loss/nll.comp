#version 460
#extension GL_GOOGLE_include_directive : require
// variants: bits
// For the target class c of each sample: the loss -weight[c] * x[c] (kPart 0), or weight[c] (kPart 1); 0 if c is
// ignored or not a class. Operand 0 is x: lane_element(0, i) is the sample's first class. Operand 1 is the weights,
// operand 2 the targets.

#include "loss/nll.args.h"
#define OPERANDS 4
#define INDEXED_OPERANDS 2
#define OWN_ARGUMENTS NLL_ARGUMENTS
#include "common/strided.glsl"

ACLVK_CONSTANTS(NLL_CONSTANTS)
#include "common/indices.glsl"

void main() {
  const uint classes = ACLVK_ARGUMENT(classes);
  const uint stride = ACLVK_ARGUMENT(stride);
  const uint weight_stride = ACLVK_ARGUMENT(weight_stride);
  const uint ignored = ACLVK_ARGUMENT(ignored);
  if (!find_lanes()) return;
  uvec4 target[LANES];
  LOAD(2, target);
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    const uint named = resolve_index(target[i], kDtype2, classes);
    const bool counts = named < classes && named != ignored;
    const uint at = counts ? named : 0u;
    const float weight = bits_to_real(element_1(lanes.slots[1], lane_element(1, i) + at * weight_stride, kSize1), kDtype1, kFloat);
    float value = weight;
    if (kPart == 0) {
      value = -weight * bits_to_real(element_0(lanes.slots[0], lane_element(0, i) + at * stride, kSize0), kDtype0, kFloat);
    }
    raw[i] = real_to_bits(counts ? value : 0.0, kDtype3);
  }
  STORE_BITS(3);
}
