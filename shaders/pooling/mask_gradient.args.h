// The arguments of pooling/mask_gradient.comp.
#define MASK_GRADIENT_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, row_bytes) \
  ARRAY(uint, shape, 2) \
  ARRAY(uint, kernel, 2) \
  ARRAY(uint, extent, 2) \
  ARRAY(uint, step, 2) \
  ARRAY(uint, before, 2) \
  ARRAY(uint, dilation, 2) \
  ARRAY(uint, divisor, 2) \
  ARRAY(uint, period, 2) \
  ARRAY(uint, inverse, 2) \
  ARRAY(uint, most, 2)
