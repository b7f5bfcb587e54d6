// The arguments of pooling/mask.comp.
#define MASK_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, bytes) \
  ARGUMENT(uint, row_bytes) \
  ARGUMENT(uint, positions) \
  ARGUMENT(uint, columns) \
  ARRAY(uint, kernel, 2) \
  ARRAY(uint, extent, 2) \
  ARRAY(uint, step, 2) \
  ARRAY(uint, before, 2) \
  ARRAY(uint, dilation, 2)
