// The specialization constants of norm/gradient.comp.
#define GRADIENT_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kFlags, 0)
