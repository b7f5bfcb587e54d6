// The arguments and the specialization constants of reduction/distance.comp.
#define DISTANCE_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(float, exponent) \
  ARGUMENT(uint, points) \
  ARGUMENT(uint, step) \
  ARGUMENT(uint, first)

#define DISTANCE_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kOperator, 0) \
  CONSTANT(1, bool, kPairs, false)
