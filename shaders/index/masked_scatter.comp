#version 460
#extension GL_GOOGLE_include_directive : require
// variants: bits
// z = x[sum - 1] where the mask is true and x is long enough; other elements keep their value. The sums are the running sums of the mask.
// Operands: x, the mask, the sums, z before, and z.

#include "index/masked_scatter.args.h"
#define OPERANDS 5
#define INDEXED_OPERANDS 1
#define OWN_ARGUMENTS MASKED_SCATTER_ARGUMENTS
#include "common/strided.glsl"

void main() {
  const uint size = ACLVK_ARGUMENT(size);
  if (!find_lanes()) return;
  uvec4 mask[LANES];
  uvec4 sum[LANES];
  uvec4 old[LANES];
  LOAD(1, mask);
  LOAD(2, sum);
  LOAD(3, old);
  const uvec2 slot = lanes.slots[0];
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    const uint position = sum[i].x - 1u;
    raw[i] = mask[i].x != 0u && position < size ? element_0(slot, position, kSize0) : old[i];
  }
  STORE_BITS(4);
}
