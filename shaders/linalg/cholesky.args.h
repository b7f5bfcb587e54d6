// The specialization constants of linalg/cholesky.comp.
#define CHOLESKY_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kPhase, 0)
