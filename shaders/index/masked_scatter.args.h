// The arguments of index/masked_scatter.comp.
#define MASKED_SCATTER_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, size)
