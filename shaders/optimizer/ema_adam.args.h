// The arguments and the specialization constants of optimizer/ema_adam.comp.
#define EMA_ADAM_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(float, rate) \
  ARGUMENT(float, l2_decay) \
  ARGUMENT(float, decay_factor) \
  ARGUMENT(float, beta1) \
  ARGUMENT(float, one_minus_beta1) \
  ARGUMENT(float, beta2) \
  ARGUMENT(float, one_minus_beta2) \
  ARGUMENT(float, epsilon) \
  ARGUMENT(float, ema) \
  ARGUMENT(float, one_minus_ema)

#define EMA_ADAM_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, bool, kCorrects, false)
