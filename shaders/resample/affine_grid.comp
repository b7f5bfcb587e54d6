#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// The points of a grid after an affine map, as in PyTorch. A lane computes a coordinate of a point: the row of a matrix (operand 0) times
// (x, y, 1) or (x, y, z, 1), where x belongs to the last dim. The lane index of operand 1 numbers the points in row-major order.

#include "resample/affine_grid.args.h"
#define OPERANDS 3
#define INDEXED_OPERANDS 2
#define OWN_ARGUMENTS AFFINE_GRID_ARGUMENTS
#include "common/strided.glsl"

ACLVK_CONSTANTS(AFFINE_GRID_CONSTANTS)

// From -1 to 1, which are the middles of the outer elements or their edges. The difference wraps to the right number, whatever the size.
T coordinate_of(uint i, uint size) {
  const uint span = kAlignCorners ? size - 1u : size;
  const int doubled = int(2u * i + (kAlignCorners ? 0u : 1u) - span);
  return span == 0u ? T(0) : T(doubled) / T(span);
}

void main() {
  const uint column_step = ACLVK_ARGUMENT(column_step);
  uint sizes[3];
  [[unroll]] for (uint d = 0; d < 3; ++d) sizes[d] = ACLVK_ARGUMENT(sizes[d]);
  if (!find_lanes()) return;
  const uvec2 matrices = lanes.slots[0];
  T z[LANES];
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    const uint row = lane_element(0, i);
    uint point = lane_element(1, i);
    z[i] = T(0);
    [[unroll]] for (uint d = 0; d < kDims; ++d) {
      const uint outer = point / sizes[d];
      const T factor = decode(element_0(matrices, row + d * column_step, kSize0), kDtype0);
      z[i] += factor * coordinate_of(point - outer * sizes[d], sizes[d]);
      point = outer;
    }
    z[i] += decode(element_0(matrices, row + kDims * column_step, kSize0), kDtype0);
  }
  STORE(2, z);
}
