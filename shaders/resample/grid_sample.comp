#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// Samples an image (operand 0) at the points of a grid (operand 1).

#include "resample/grid.args.h"
#define OPERANDS 3
#define INDEXED_OPERANDS 2
#define OWN_ARGUMENTS GRID_ARGUMENTS
#include "common/strided.glsl"
#include "resample/grid.glsl"

void main() {
  READ_IMAGE()
  const uint grid_step = ACLVK_ARGUMENT(grid_step);
  if (!find_lanes()) return;
  const uvec2 image = lanes.slots[0];
  const uvec2 grid = lanes.slots[1];
  T sums[LANES];
  Points points[4];
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    sums[i] = T(0);
    [[unroll]] for (uint d = 3 - kDims; d < 3; ++d) {
      const uint at = lane_element(1, i) + (2u - d) * grid_step;
      points[i].dims[d] = point_at(decode(element_1(grid, at, kSize1), kDtype1), sizes[d]);
    }
  }
  for (int tap = 0; tap < kAllTaps; ++tap) {
    [[unroll]] for (uint i = 0; i < 4; ++i) {
      uint at = lane_element(0, i);
      bool inside = true;
      T weight = T(1);
      [[unroll]] for (uint d = 3 - kDims; d < 3; ++d) {
        const int own = tap_along(d, tap);
        const int element = element_of(points[i].dims[d], own, sizes[d]);
        weight *= weight_of(points[i].dims[d], own);
        inside = inside && element >= 0;
        at += uint(max(element, 0)) * strides[d];
      }
      const T x = decode(element_0(image, at, kSize0), kDtype0);
      sums[i] += inside ? weight * x : T(0);
    }
  }
  STORE(2, sums);
}
