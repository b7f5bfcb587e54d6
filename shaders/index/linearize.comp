#version 460
#extension GL_GOOGLE_include_directive : require
// variants: bits
// z = y + index * stride: adds one of several indices to a linear element index (uint32), which stays kNoIndex when any index is out of
// range. y is z, or 0 (kFirst). When the index is linear over several dims, of which this is one, `inner` is the number of elements of the
// dims after it, and `total` that of all of them.

#include "index/linearize.args.h"
#define OPERANDS 3
#define OWN_ARGUMENTS LINEARIZE_ARGUMENTS
#include "common/strided.glsl"

ACLVK_CONSTANTS(LINEARIZE_CONSTANTS)
#include "common/indices.glsl"

void main() {
  const uint size = ACLVK_ARGUMENT(size);
  const uint stride = ACLVK_ARGUMENT(stride);
  const uint inner = ACLVK_ARGUMENT(inner);
  const uint total = ACLVK_ARGUMENT(total);
  if (!find_lanes()) return;
  uvec4 index[LANES];
  uvec4 sum[LANES];
  LOAD(0, index);
  if (kFirst) {
    [[unroll]] for (uint i = 0; i < kLanes; ++i) sum[i] = uvec4(0u);
  } else {
    LOAD(1, sum);
  }
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    uint position = resolve_index(index[i], kDtype0, total != 0u ? total : size);
    if (total != 0u && position < total) position = position / inner % size;
    raw[i] = uvec4(position < size && sum[i].x != kNoIndex ? sum[i].x + position * stride : kNoIndex, 0u, 0u, 0u);
  }
  STORE_BITS(2);
}
