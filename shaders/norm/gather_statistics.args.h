// The arguments and the specialization constants of norm/gather_statistics.comp.
#define GATHER_STATISTICS_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(float, epsilon)

#define GATHER_STATISTICS_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kSums, 0)
