// The arguments and the specialization constants of optimizer/adam.comp.
#define ADAM_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(float, decay_factor) \
  ARGUMENT(float, beta1) \
  ARGUMENT(float, one_minus_beta1) \
  ARGUMENT(float, beta2) \
  ARGUMENT(float, one_minus_beta2) \
  ARGUMENT(float, epsilon)

#define ADAM_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kAmsgrad, 0) \
  CONSTANT(1, uint, kMaximize, 0)
