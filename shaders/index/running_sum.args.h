// The arguments and the specialization constants of index/running_sum.comp.
#define RUNNING_SUM_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, step)

#define RUNNING_SUM_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kDtype, kInt64)
