// Random words by index: Philox block n depends on n, the offset and the seed alone. With kInMemory a shader's operands 0 and 1 are seed and
// offset in memory. Its arguments start with SOURCE_ARGUMENTS; the offset is added to the one in memory.
// ops/random/source.cpp is the host's half.

#include "common/philox.glsl"
#include "common/words64.glsl"

ACLVK_CONSTANTS(SOURCE_CONSTANTS)
#undef FIRST_CONSTANT
#define FIRST_CONSTANT (FRAME_CONSTANTS + ACLVK_CONSTANT_COUNT(SOURCE_CONSTANTS))

struct Source {
  uvec2 seed;
  uvec2 offset;
};

#define SOURCE_GIVEN                                                          \
  Source(uvec2(ACLVK_ARGUMENT(seed[0]), ACLVK_ARGUMENT(seed[1])),             \
         uvec2(ACLVK_ARGUMENT(source_offset[0]), ACLVK_ARGUMENT(source_offset[1])))

// Call after find_lanes().
Source source_now(Source given) {
  if (!kInMemory) return given;
  const uvec2 seed = uvec2(word_0(lanes.slots[0], 0u), word_0(lanes.slots[0], 4u));
  const uvec2 offset = uvec2(word_1(lanes.slots[1], 0u), word_1(lanes.slots[1], 4u));
  return Source(seed, add64(given.offset, offset));
}

uvec4 block_of(Source source, uint number) { return philox(uvec4(number, 0u, source.offset), source.seed); }
