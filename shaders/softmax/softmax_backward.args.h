// The arguments of the variant masked of softmax/softmax_backward.comp, and the specialization constants of all.
#define SOFTMAX_BACKWARD_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(float, factor)

#define SOFTMAX_BACKWARD_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kOperator, 0)
