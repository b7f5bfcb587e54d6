#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// One tap of each point of a grid (operand 0): its element in the image, -1 if it is outside (operand 1), and its
// weight (operand 2).

#include "resample/grid.args.h"
#include "resample/grid_taps.args.h"
#define OPERANDS 3
#define INDEXED_OPERANDS 1
#define OWN_ARGUMENTS(ARGUMENT, ARRAY) GRID_ARGUMENTS(ARGUMENT, ARRAY) GRID_TAPS_ARGUMENTS(ARGUMENT, ARRAY)
#include "common/strided.glsl"
ACLVK_STORES(1)
#include "resample/grid.glsl"

void main() {
  READ_IMAGE()
  const uint grid_step = ACLVK_ARGUMENT(grid_step);
  const int tap = int(ACLVK_ARGUMENT(tap));
  if (!find_lanes()) return;
  const uvec2 grid = lanes.slots[0];
  T weights[LANES];
  int elements[4];
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    weights[i] = T(1);
    elements[i] = 0;
    [[unroll]] for (uint d = 3 - kDims; d < 3; ++d) {
      const uint at = lane_element(0, i) + (2u - d) * grid_step;
      const Point point = point_at(decode(element_0(grid, at, kSize0), kDtype0), sizes[d]);
      const int own = tap_along(d, tap);
      const int element = element_of(point, own, sizes[d]);
      weights[i] *= weight_of(point, own);
      elements[i] = elements[i] < 0 || element < 0 ? -1 : elements[i] * sizes[d] + element;
    }
    if (elements[i] < 0) weights[i] = T(0);
    raw[i] = uvec4(uint(elements[i]), 0u, 0u, 0u);
  }
  STORE_BITS(1);
  STORE(2, weights);
}
