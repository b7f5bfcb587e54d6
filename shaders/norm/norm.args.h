// The arguments and the specialization constants of norm/norm.comp.
#define NORM_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(float, epsilon) \
  ARGUMENT(uint, span) \
  ARGUMENT(float, swish)

#define NORM_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kFlags, 0)
