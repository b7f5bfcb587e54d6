#version 460
#extension GL_GOOGLE_include_directive : require
// variants: bits
// z = x / inner % size: the coordinate along a dim of `size` elements of the element with the linear index x (uint32), where the dims after
// it have `inner` elements. z is int32 or int64.

#include "index/coordinates.args.h"
#define OPERANDS 2
#define OWN_ARGUMENTS COORDINATES_ARGUMENTS
#include "common/strided.glsl"

void main() {
  const uint inner = ACLVK_ARGUMENT(inner);
  const uint size = ACLVK_ARGUMENT(size);
  if (!find_lanes()) return;
  uvec4 number[LANES];
  LOAD(0, number);
  [[unroll]] for (uint i = 0; i < kLanes; ++i) raw[i] = uvec4(number[i].x / inner % size, 0u, 0u, 0u);
  STORE_BITS(1);
}
