// The specialization constants of optimizer/apply_adam.comp.
#define APPLY_ADAM_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kFlags, 0)
