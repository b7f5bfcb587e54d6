// The arguments and the specialization constants of index/embedding_bag.comp.
#define EMBEDDING_BAG_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, rows) \
  ARGUMENT(uint, row_step) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, index_step) \
  ARGUMENT(uint, offset_step) \
  ARGUMENT(uint, weight_step) \
  ARGUMENT(uint, offsets) \
  ARGUMENT(uint, padding) \
  ARGUMENT(uint, first) \
  ARGUMENT(uint, span)

#define EMBEDDING_BAG_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kKind, 0) \
  CONSTANT(1, bool, kFromEnd, true) /* negative indices count from the end */ \
  CONSTANT(2, uint, kFlags, 0) \
  CONSTANT(3, uint, kUnroll, 1)
