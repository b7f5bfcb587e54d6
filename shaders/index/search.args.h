// The arguments and the specialization constants of index/search.comp.
#define SEARCH_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, step) \
  ARGUMENT(uint, order_step) \
  ARGUMENT(uint, unused) \
  ARRAY(uint, scalar, 4)

#define SEARCH_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kRight, 0) \
  CONSTANT(1, bool, kOrdered, false) \
  CONSTANT(2, uint, kValue, 0)
