// The arguments and the specialization constants of norm/factors.comp.
#define FACTORS_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(float, epsilon) \
  ARGUMENT(float, inverse_count) \
  ARGUMENT(uint, plane)

#define FACTORS_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kFlags, 0)
