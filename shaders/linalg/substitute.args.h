// The specialization constants of linalg/substitute.comp.
#define SUBSTITUTE_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kUpper, 0) \
  CONSTANT(1, uint, kUnit, 0) /* the diagonal counts as 1 and is not read */ \
  CONSTANT(2, uint, kBlock, 0)

// The arguments.
#define SUBSTITUTE_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, rows) \
  ARGUMENT(uint, a_pitch) \
  ARGUMENT(uint, x_columns) /* that are solved */ \
  ARGUMENT(uint, first_step) \
  ARGUMENT(uint, steps) /* rows that are solved */ \
  ARGUMENT(uint, groups) \
  ARGUMENT(uint, first_column) /* of x_columns */ \
  ARGUMENT(uint, x_pitch)
