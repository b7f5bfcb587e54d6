// The arguments of random/dropout.comp.
#define DROPOUT_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(float, scale) \
  ARGUMENT(uint, mask_step)
