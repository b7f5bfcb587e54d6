// The arguments and the specialization constants of loss/nll.comp.
#define NLL_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, classes) \
  ARGUMENT(uint, stride) \
  ARGUMENT(uint, weight_stride) \
  ARGUMENT(uint, ignored)

#define NLL_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kPart, 0) \
  CONSTANT(1, bool, kFromEnd, true) /* negative indices count from the end */
