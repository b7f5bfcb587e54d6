// The arguments of optimizer/adam_coefficients.comp.
#define ADAM_COEFFICIENTS_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(float, rate) \
  ARGUMENT(float, log_beta1) \
  ARGUMENT(float, log_beta2)
