// The specialization constants of attention/rotate.comp.
#define ROTATE_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kMinus, 0)
