// The arguments and the specialization constants of sort/changes.comp.
#define CHANGES_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, rows) \
  ARGUMENT(uint, columns) \
  ARGUMENT(uint, first) \
  ARGUMENT(uint, last)

#define CHANGES_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kDtype, kFloat) \
  CONSTANT(1, uint, kSize, 4) \
  CONSTANT(2, bool, kUnordered, false) \
  CONSTANT(3, bool, kContinues, false)
