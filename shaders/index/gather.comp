#version 460
#extension GL_GOOGLE_include_directive : require
// variants: bits
// z = x[start + index * stride], with the lane's start in x. Negative indices count from the end; out-of-range ones give 0.

#include "index/gather.args.h"
#define OPERANDS 3
#define INDEXED_OPERANDS 1
#define OWN_ARGUMENTS GATHER_ARGUMENTS
#include "common/strided.glsl"
ACLVK_CONSTANTS(GATHER_CONSTANTS)
#include "common/indices.glsl"

void main() {
  const uint size = ACLVK_ARGUMENT(size);
  const uint stride = ACLVK_ARGUMENT(stride);
  if (!find_lanes()) return;
  uvec4 index[LANES];
  LOAD(1, index);
  const uvec2 slot = lanes.slots[0];
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    const uint position = resolve_index(index[i], kDtype1, size);
    raw[i] = position < size ? element_0(slot, lane_element(0, i) + position * stride, kSize0) : uvec4(0u);
  }
  STORE_BITS(2);
}
