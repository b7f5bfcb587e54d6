// The arguments of norm/add.comp.
#define ADD_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(float, factor) \
  ARGUMENT(float, number)
