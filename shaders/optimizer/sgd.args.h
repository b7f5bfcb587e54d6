// The arguments and the specialization constants of optimizer/sgd.comp.
#define SGD_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(float, decay) \
  ARGUMENT(float, momentum) \
  ARGUMENT(float, one_minus_dampening) \
  ARGUMENT(float, rate)

#define SGD_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kFlags, 0)
