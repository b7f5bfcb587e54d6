// The arguments of common/strided.glsl before those of the shader, and its specialization constants.
#define STRIDED_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, threads)

#define STRIDED_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kRank, 1) \
  CONSTANT(1, uint, kModes, 0) \
  CONSTANT(2, uint, kFormAndJoin, 0) \
  LOCAL_SIZE(3)
