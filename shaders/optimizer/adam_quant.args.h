// The arguments of optimizer/adam_quant.comp.
#define ADAM_QUANT_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, block_length) \
  ARGUMENT(float, decay_factor) \
  ARGUMENT(float, beta1) \
  ARGUMENT(float, one_minus_beta1) \
  ARGUMENT(float, beta2) \
  ARGUMENT(float, one_minus_beta2) \
  ARGUMENT(float, epsilon) \
  ARGUMENT(float, scale)
