// The arguments and the specialization constants of shape/triangle.comp.
#define TRIANGLE_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, rows) \
  ARGUMENT(uint, columns) \
  ARGUMENT(int, diagonal)

#define TRIANGLE_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kUpper, 0)
