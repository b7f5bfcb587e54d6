#version 460
#extension GL_GOOGLE_include_directive : require
// variants: bits
// The gradient of nll.comp for each class of a sample: -weight * gradient for the target class, divided by the sum of
// weights with kMean; 0 for other classes. Operand 0 is the weights: lane_element(0, i) is the lane's class.

#include "loss/nll_gradient.args.h"
#define OPERANDS 5
#define INDEXED_OPERANDS 1
#define OWN_ARGUMENTS NLL_GRADIENT_ARGUMENTS
#include "common/strided.glsl"

ACLVK_CONSTANTS(NLL_GRADIENT_CONSTANTS)
#include "common/indices.glsl"

void main() {
  const uint classes = ACLVK_ARGUMENT(classes);
  const uint weight_stride = ACLVK_ARGUMENT(weight_stride);
  const uint ignored = ACLVK_ARGUMENT(ignored);
  if (!find_lanes()) return;
  uvec4 target[LANES];
  uvec4 gradient[LANES];
  uvec4 total[LANES];
  LOAD(1, target);
  LOAD(2, gradient);
  LOAD(3, total);
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    const uint own = lane_element(0, i);
    const bool named = resolve_index(target[i], kDtype1, classes) == own && own != ignored;
    const float weight = bits_to_real(element_0(lanes.slots[0], own * weight_stride, kSize0), kDtype0, kFloat);
    const float whole = -weight * bits_to_real(gradient[i], kDtype2, kFloat);
    const float value = kMean != 0 ? whole / bits_to_real(total[i], kDtype3, kFloat) : whole;
    raw[i] = real_to_bits(named ? value : 0.0, kDtype4);
  }
  STORE_BITS(4);
}
