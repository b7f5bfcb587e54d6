// The arguments of kernels on matrices (linalg/matrices.glsl).
#define MATRICES_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, rows) \
  ARGUMENT(uint, columns) \
  ARGUMENT(uint, width) \
  ARGUMENT(uint, first) \
  ARGUMENT(uint, steps) \
  ARGUMENT(uint, groups) \
  ARGUMENT(uint, from) \
  ARGUMENT(uint, pitch)

// The specialization constants of those whose local size the host chooses, if they have no others.
#define MATRICES_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  LOCAL_SIZE(0)

// That of decompositions whose steps have phases (append_steps() of ops/linalg/matrices.hpp).
#define STEP_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kPhase, 0)
