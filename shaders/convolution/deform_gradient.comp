#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// The gradient of one block of the offsets of a deformable convolution: the derivative of the sample by the offset of the column
// (kBlock 0) or of the row (1), or by the factor (2), times the gradient of the sample, summed over channels. Operand 0 is the image,
// operand 1 the offsets, operand 4 the gradients of samples; operands 2 and 3 number the rows and columns of taps.

#include "convolution/deform.args.h"
#include "convolution/deform_gradient.args.h"
#define OPERANDS 6
#define INDEXED_OPERANDS 5
#define OWN_ARGUMENTS(ARGUMENT, ARRAY) DEFORM_ARGUMENTS(ARGUMENT, ARRAY) DEFORM_GRADIENT_ARGUMENTS(ARGUMENT, ARRAY)
#include "common/strided.glsl"
#include "convolution/deform.glsl"

ACLVK_CONSTANTS(DEFORM_GRADIENT_CONSTANTS)

const uint kColumn = 0, kRow = 1, kFactor = 2;

// The derivative of the sample by the block's value, divided by the element.
float derivative_of(MovedTap tap, int corner) {
  const vec2 weights = weights_of(tap, corner);
  const vec2 slopes = slopes_of(corner);
  if (kBlock == kColumn) return weights.x * slopes.y * tap.factor;
  return kBlock == kRow ? slopes.x * weights.y * tap.factor : weights.x * weights.y;
}

void main() {
  read_deformation();
  const uint channels = ACLVK_ARGUMENT(channels);
  const uint channel_step = ACLVK_ARGUMENT(channel_step);
  const uint gradient_step = ACLVK_ARGUMENT(gradient_step);
  if (!find_lanes()) return;
  const uvec2 image = lanes.slots[0];
  const uvec2 gradients = lanes.slots[4];
  T sums[LANES];
  float derivatives[4][4];
  uint elements[4][4];
  bool inside[4][4];
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    sums[i] = T(0);
    const MovedTap tap = TAP_OF(1, 2, 3, i);
    [[unroll]] for (int corner = 0; corner < 4; ++corner) {
      const ivec2 element = element_around(tap, corner);
      inside[i][corner] = is_inside(element);
      const uvec2 own = inside[i][corner] ? uvec2(element) : uvec2(0u);
      elements[i][corner] = lane_element(0, i) + own.x * strides.x + own.y * strides.y;
      derivatives[i][corner] = derivative_of(tap, corner);
    }
  }
  for (uint channel = 0; channel < channels; ++channel) {  // iterations: deform.cpp cuts the channels
    [[unroll]] for (uint i = 0; i < 4; ++i) {
      float slope = 0.0;
      [[unroll]] for (int corner = 0; corner < 4; ++corner) {
        const float x = decode(element_0(image, elements[i][corner] + channel * channel_step, kSize0), kDtype0);
        slope += inside[i][corner] ? derivatives[i][corner] * x : 0.0;
      }
      sums[i] += slope * decode(element_4(gradients, lane_element(4, i) + channel * gradient_step, kSize4), kDtype4);
    }
  }
  STORE(5, sums);
}
