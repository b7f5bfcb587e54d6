// The arguments of linalg/cross.comp.
#define CROSS_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, x_stride) \
  ARGUMENT(uint, y_stride)
