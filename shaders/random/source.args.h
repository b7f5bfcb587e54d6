// The first arguments and specialization constants of kernels that include random/source.glsl.
#define SOURCE_ARGUMENTS(ARGUMENT, ARRAY) \
  ARRAY(uint, seed, 2) \
  ARRAY(uint, source_offset, 2)

#define SOURCE_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, bool, kInMemory, false)
