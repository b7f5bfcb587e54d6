// The specialization constants of linalg/lu.comp.
#define LU_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kPhase, 0)
