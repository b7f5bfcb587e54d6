// The arguments and the specialization constants of pooling/mean.comp, after those of pooling/windows.glsl.
#define MEAN_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(int, divisor) \
  ARRAY(int, padding_after, 3)

#define MEAN_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, bool, kCountsPadding, false)
