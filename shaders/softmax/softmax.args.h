// The arguments of the variants masked and biased of softmax/softmax.comp, and the specialization constants of all.
#define SOFTMAX_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(float, factor)

#define SOFTMAX_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kOperator, 0) \
  CONSTANT(1, uint, kMasked, 0) /* of the variant biased: there is a mask */
