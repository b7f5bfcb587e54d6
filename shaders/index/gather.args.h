// The arguments and the specialization constants of index/gather.comp.
#define GATHER_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, size) \
  ARGUMENT(uint, stride)

#define GATHER_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kUnused, 0) \
  CONSTANT(1, bool, kFromEnd, true) /* negative indices count from the end */
