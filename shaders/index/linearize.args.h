// The arguments and the specialization constants of index/linearize.comp.
#define LINEARIZE_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, size) \
  ARGUMENT(uint, stride) \
  ARGUMENT(uint, inner) \
  ARGUMENT(uint, total)

#define LINEARIZE_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, bool, kFirst, true) \
  CONSTANT(1, bool, kFromEnd, true) /* negative indices count from the end */
