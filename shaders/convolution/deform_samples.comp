#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// The samples that a deformable convolution multiplies with its weight. Operand 0 is the image, operand 1 the offsets; operands 2 and 3
// number the rows and columns of taps.

#include "convolution/deform.args.h"
#define OPERANDS 5
#define INDEXED_OPERANDS 4
#define OWN_ARGUMENTS DEFORM_ARGUMENTS
#include "common/strided.glsl"
#include "convolution/deform.glsl"

void main() {
  read_deformation();
  if (!find_lanes()) return;
  const uvec2 image = lanes.slots[0];
  T samples[LANES];
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    const MovedTap tap = TAP_OF(1, 2, 3, i);
    float sample_of_four = 0.0;
    [[unroll]] for (int corner = 0; corner < 4; ++corner) {
      const ivec2 element = element_around(tap, corner);
      const bool inside = is_inside(element);
      const uvec2 own = inside ? uvec2(element) : uvec2(0u);
      const float x = decode(element_0(image, lane_element(0, i) + own.x * strides.x + own.y * strides.y, kSize0), kDtype0);
      const vec2 weights = weights_of(tap, corner);
      sample_of_four += inside ? weights.x * weights.y * x : 0.0;
    }
    samples[i] = sample_of_four * tap.factor;
  }
  STORE(4, samples);
}
