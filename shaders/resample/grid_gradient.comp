#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// The gradient of a grid's coordinates: the derivative of the sample by the coordinate, times the gradient, summed over
// channels. Operand 0 is the image, operand 1 the grid, operand 2 the gradients; operand 3 numbers the coordinates.

#include "resample/grid.args.h"
#include "resample/grid_gradient.args.h"
#define OPERANDS 5
#define INDEXED_OPERANDS 4
#define OWN_ARGUMENTS(ARGUMENT, ARRAY) GRID_ARGUMENTS(ARGUMENT, ARRAY) GRID_GRADIENT_ARGUMENTS(ARGUMENT, ARRAY)
#include "common/strided.glsl"
#include "resample/grid.glsl"

void main() {
  READ_IMAGE()
  const uint grid_step = ACLVK_ARGUMENT(grid_step);
  const uint channels = ACLVK_ARGUMENT(channels);
  const uint channel_step = ACLVK_ARGUMENT(channel_step);
  const uint gradient_step = ACLVK_ARGUMENT(gradient_step);
  if (!find_lanes()) return;
  const uvec2 image = lanes.slots[0];
  const uvec2 grid = lanes.slots[1];
  const uvec2 gradients = lanes.slots[2];
  T sums[LANES];
  Points points[4];
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    sums[i] = T(0);
    [[unroll]] for (uint d = 3 - kDims; d < 3; ++d) {
      const uint at = lane_element(1, i) + (2u - d) * grid_step;
      points[i].dims[d] = point_at(decode(element_1(grid, at, kSize1), kDtype1), sizes[d]);
    }
  }
  for (uint channel = 0; channel < channels; ++channel) {  // iterations: grid_sample.cpp cuts the channels
    for (int tap = 0; tap < kAllTaps; ++tap) {
      [[unroll]] for (uint i = 0; i < 4; ++i) {
        uint at = lane_element(0, i) + channel * channel_step;
        bool inside = true;
        T slope = T(1);
        [[unroll]] for (uint d = 3 - kDims; d < 3; ++d) {
          const int own = tap_along(d, tap);
          const int element = element_of(points[i].dims[d], own, sizes[d]);
          const bool is_own = 2u - d == lane_element(3, i);
          slope *= is_own ? slope_of(points[i].dims[d], own) : weight_of(points[i].dims[d], own);
          inside = inside && element >= 0;
          at += uint(max(element, 0)) * strides[d];
        }
        const T x = decode(element_0(image, at, kSize0), kDtype0);
        const T gradient = decode(element_2(gradients, lane_element(2, i) + channel * gradient_step, kSize2), kDtype2);
        sums[i] += inside ? slope * x * gradient : T(0);
      }
    }
  }
  STORE(4, sums);
}
