// The specialization constants of linalg/substitute.comp.
#define SUBSTITUTE_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kUpper, 0) \
  CONSTANT(1, uint, kUnit, 0) /* the diagonal counts as 1 and is not read */ \
  CONSTANT(2, uint, kBlock, 0)
