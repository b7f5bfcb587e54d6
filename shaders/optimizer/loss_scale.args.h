// The arguments and the specialization constants of optimizer/loss_scale.comp.
#define LOSS_SCALE_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(float, growth) \
  ARGUMENT(float, backoff) \
  ARGUMENT(int, interval)

#define LOSS_SCALE_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kPart, 0) \
  CONSTANT(1, bool, kGrows, true) /* false: the interval does not fit in int32 and is never reached */
