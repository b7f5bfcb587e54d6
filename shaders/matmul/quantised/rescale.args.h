// The specialization constants of matmul/quantised/rescale.comp.
#define RESCALE_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kOfProducts, 0) \
  CONSTANT(1, uint, kParts, 0)
