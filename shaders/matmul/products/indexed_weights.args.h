// The arguments and the specialization constants of matmul/products/indexed_weights.comp.
#define INDEXED_WEIGHTS_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, rows) \
  ARGUMENT(uint, columns) \
  ARGUMENT(uint, inner_size) \
  ARGUMENT(uint, matrices)

#define INDEXED_WEIGHTS_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kDtypeOfX, 0) \
  CONSTANT(1, uint, kDtypeOfWeights, 0) \
  CONSTANT(2, bool, kVec8Loads, false) \
  CONSTANT(3, uint, kPromoted, 0) \
  CONSTANT(4, uint, kUnroll, 1)
