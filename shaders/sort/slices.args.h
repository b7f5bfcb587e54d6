// The arguments and the specialization constants of sort/slices.comp.
#define SLICES_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, rows) \
  ARGUMENT(uint, columns) \
  ARGUMENT(uint, first) \
  ARGUMENT(uint, last) \
  ARGUMENT(uint, width)

#define SLICES_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kDtype, kFloat) \
  CONSTANT(1, uint, kSize, 4) \
  CONSTANT(2, bool, kFirst, false)
