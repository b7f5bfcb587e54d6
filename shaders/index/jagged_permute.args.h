// The arguments of index/jagged_permute.comp.
#define JAGGED_PERMUTE_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, segments) \
  ARGUMENT(uint, permute_step) \
  ARGUMENT(uint, from_step) \
  ARGUMENT(uint, to_step)
