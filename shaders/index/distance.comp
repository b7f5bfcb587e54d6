#version 460
#extension GL_GOOGLE_include_directive : require
// variants: bits
// z = y - x: the distance of two indices (uint32). z is int64.

#define OPERANDS 3
#include "common/strided.glsl"

void main() {
  if (!find_lanes()) return;
  uvec4 start[LANES];
  uvec4 end[LANES];
  LOAD(0, start);
  LOAD(1, end);
  [[unroll]] for (uint i = 0; i < kLanes; ++i) raw[i] = uvec4(end[i].x - start[i].x, 0u, 0u, 0u);
  STORE_BITS(2);
}
