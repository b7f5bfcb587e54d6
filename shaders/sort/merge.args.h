// The arguments and the specialization constants of sort/merge.comp.
#define MERGE_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, threads) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, width) \
  ARGUMENT(uint, keep) \
  ARGUMENT(uint, pairs) \
  ARGUMENT(uint, shares)

#define MERGE_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kPerThread, 16)
