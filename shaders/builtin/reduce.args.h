// The arguments and the specialization constants of builtin/reduce.comp.
#define REDUCE_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, bytes)

#define REDUCE_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kDtype, kFloat) \
  CONSTANT(1, uint, kBits, 32) /* of an element */ \
  CONSTANT(2, uint, kOperation, 10)
