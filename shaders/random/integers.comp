#version 460
#extension GL_GOOGLE_include_directive : require
// variants: i32 i64 i64f
// z[n] is drawn from [low, low + range): a whole 128-bit Philox block is multiplied by the range, of which the upper bits are used, so that
// probabilities differ by a factor of at most 1 + 2^-64.

#include "random/integers.args.h"
#include "random/source.args.h"
#define OPERANDS 3
#define INDEXED_OPERANDS 2
#define OWN_ARGUMENTS(ARGUMENT, ARRAY) SOURCE_ARGUMENTS(ARGUMENT, ARRAY) INTEGERS_ARGUMENTS(ARGUMENT, ARRAY)
#include "common/strided.glsl"
#include "random/source.glsl"

void main() {
  const Source given = SOURCE_GIVEN;
  const uvec2 low = uvec2(ACLVK_ARGUMENT(low[0]), ACLVK_ARGUMENT(low[1]));
  const uvec2 range = uvec2(ACLVK_ARGUMENT(range[0]), ACLVK_ARGUMENT(range[1]));
  if (!find_lanes()) return;
  const Source source = source_now(given);
  T z[LANES];
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    const uvec2 value = add64(low, multiply_top64(block_of(source, lane_element(0, i)), range));
    z[i] = value_of(uvec4(value, 0u, 0u));
  }
  STORE(2, z);
}
