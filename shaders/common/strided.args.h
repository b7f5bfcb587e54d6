// The arguments of common/strided.glsl before those of the shader, and its specialization constants.
#define STRIDED_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, threads)

#define STRIDED_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kRank, 1) \
  CONSTANT(1, uint, kAccessModes, 0) /* AccessMode of each operand, two bits each */ \
  CONSTANT(2, uint, kLaneLayoutAndJoin, 0) /* LaneLayout; plus 4 if several launches are one dispatch */ \
  LOCAL_SIZE(3)
