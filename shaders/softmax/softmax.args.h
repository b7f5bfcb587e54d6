// The arguments of the variants masked and biased of softmax/softmax.comp, and of the variant masked of softmax_backward.comp.
#define SOFTMAX_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(float, factor)

// The specialization constants of both, and after them that of softmax.comp with more than two operands.
#define SOFTMAX_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kOperator, 0)

#define SOFTMAX_MASK_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kMasked, 0) /* of the variant biased: there is a mask */
