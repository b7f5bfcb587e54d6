// The specialization constants of elementwise/complex.comp.
#define COMPLEX_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kOperator, 0)
