// The arguments and the specialization constants of norm/gradient_sums.comp.
#define GRADIENT_SUMS_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(float, epsilon)

#define GRADIENT_SUMS_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kFlags, 0)
