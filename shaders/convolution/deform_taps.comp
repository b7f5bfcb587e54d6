#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// One of the four elements around each place of a deformable convolution: its number in the image, -1 if it is outside (operand 3), and
// its weight times the factor of the place (operand 4). Operand 0 has the offsets; operands 1 and 2 number the rows and columns of taps.

#include "convolution/deform.args.h"
#include "convolution/deform_taps.args.h"
#define OPERANDS 5
#define INDEXED_OPERANDS 3
#define OWN_ARGUMENTS(ARGUMENT, ARRAY) DEFORM_ARGUMENTS(ARGUMENT, ARRAY) DEFORM_TAPS_ARGUMENTS(ARGUMENT, ARRAY)
#include "common/strided.glsl"
ACLVK_STORES(3)
#include "convolution/deform.glsl"

void main() {
  read_deformation();
  const int corner = int(ACLVK_ARGUMENT(corner));
  if (!find_lanes()) return;
  T weights[LANES];
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    const MovedTap tap = TAP_OF(0, 1, 2, i);
    const ivec2 element = element_around(tap, corner);
    const bool inside = is_inside(element);
    const vec2 both = weights_of(tap, corner);
    weights[i] = inside ? both.x * both.y * tap.factor : 0.0;
    raw[i] = uvec4(uint(inside ? element.x * sizes.y + element.y : -1), 0u, 0u, 0u);
  }
  STORE_BITS(3);
  STORE(4, weights);
}
