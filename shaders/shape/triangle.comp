#version 460
#extension GL_GOOGLE_include_directive : require
// variants: bits
// tril (kUpper == 0) and triu: z = x on one side of the diagonal, and 0 elsewhere. The first operand's lane index is the linear index of
// the element, from which row and column follow.

#include "shape/triangle.args.h"
#define OPERANDS 3
#define INDEXED_OPERANDS 1
#define OWN_ARGUMENTS TRIANGLE_ARGUMENTS
#include "common/strided.glsl"

ACLVK_CONSTANTS(TRIANGLE_CONSTANTS)

void main() {
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint columns = ACLVK_ARGUMENT(columns);
  const int diagonal = ACLVK_ARGUMENT(diagonal);
  if (!find_lanes()) return;
  uvec4 x[LANES];
  LOAD(1, x);
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    const uint number = lane_element(0, i);
    const uint row = number / columns;
    const int distance = int(number - row * columns) - int(row % rows);
    const bool kept = kUpper != 0u ? distance >= diagonal : distance <= diagonal;
    raw[i] = kept ? x[i] : uvec4(0u);
  }
  STORE_BITS(2);
}
