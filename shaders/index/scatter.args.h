// The arguments and the specialization constants of index/scatter.comp.
#define SCATTER_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, size) \
  ARGUMENT(uint, stride) \
  ARGUMENT(uint, index_step) \
  ARGUMENT(uint, source_step) \
  ARRAY(uint, scale, 4)

#define SCATTER_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kCombination, 0) \
  CONSTANT(1, bool, kFromEnd, true) /* negative indices count from the end */ \
  CONSTANT(2, bool, kIndexed, true) /* false: lanes are combined at their own position */
