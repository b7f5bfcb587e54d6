#version 460
#extension GL_GOOGLE_include_directive : require
// variants: bits
// z = a constant. The arguments are its bits in the dtype of z. The first operand is not read.

#include "create/fill.args.h"
#define OPERANDS 2
#define OWN_ARGUMENTS FILL_ARGUMENTS
#include "common/strided.glsl"

void main() {
  const uvec4 value =
      uvec4(ACLVK_ARGUMENT(value[0]), ACLVK_ARGUMENT(value[1]), ACLVK_ARGUMENT(value[2]), ACLVK_ARGUMENT(value[3]));
  if (!find_lanes()) return;
  [[unroll]] for (uint i = 0; i < kLanes; ++i) raw[i] = value;
  STORE_BITS(1);
}
