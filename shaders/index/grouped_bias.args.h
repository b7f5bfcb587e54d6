// The arguments of index/grouped_bias.comp.
#define GROUPED_BIAS_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, end_stride) \
  ARGUMENT(uint, rows) \
  ARGUMENT(uint, row_stride)
