// The arguments and the specialization constants of norm/statistic.comp.
#define STATISTIC_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(float, keep_factor) \
  ARGUMENT(float, batch_factor) \
  ARGUMENT(float, epsilon)

#define STATISTIC_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kRoot, 0)
