#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 i32 i64 i64f c64 c128
// z = x cross y along a dim of three elements, whose strides are arguments. Operand 0 is x with strides that number the
// dim: lane_element(0, i) is the component. Operands 1 and 2 are x and y with stride 0 along the dim.

#include "linalg/cross.args.h"
#define OPERANDS 4
#define INDEXED_OPERANDS 3
#define OWN_ARGUMENTS CROSS_ARGUMENTS
#include "common/strided.glsl"
#include "common/arithmetic.glsl"

void main() {
  const uint x_stride = ACLVK_ARGUMENT(x_stride);
  const uint y_stride = ACLVK_ARGUMENT(y_stride);
  if (!find_lanes()) return;
  const uvec2 x_slot = lanes.slots[1];
  const uvec2 y_slot = lanes.slots[2];
  T z[LANES];
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    const uint component = lane_element(0, i);
    const uint next = component == 2 ? 0 : component + 1;
    const uint last = component == 0 ? 2 : component - 1;
    const uint x = lane_element(1, i);
    const uint y = lane_element(2, i);
    const T x_next = decode(element_1(x_slot, x + next * x_stride, kSize1), kDtype1);
    const T x_last = decode(element_1(x_slot, x + last * x_stride, kSize1), kDtype1);
    const T y_next = decode(element_2(y_slot, y + next * y_stride, kSize2), kDtype2);
    const T y_last = decode(element_2(y_slot, y + last * y_stride, kSize2), kDtype2);
    z[i] = narrow(sub(mul(x_next, y_last), mul(x_last, y_next)));
  }
  STORE(3, z);
}
