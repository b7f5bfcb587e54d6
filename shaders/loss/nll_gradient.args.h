// The arguments and the specialization constants of loss/nll_gradient.comp.
#define NLL_GRADIENT_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, classes) \
  ARGUMENT(uint, weight_stride) \
  ARGUMENT(uint, ignored)

#define NLL_GRADIENT_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kMean, 0) \
  CONSTANT(1, bool, kFromEnd, true) /* negative indices count from the end */
