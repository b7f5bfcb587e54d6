// The argument block of kernels on matrices (linalg/matrices.glsl) has nine words. The first is `count`, the matrices of
// the kernel, and the seventh `groups`, the work groups of a matrix: matrix_kernels() of ops/linalg/matrices.hpp sets
// these two. The others are those of the kernel, whose list is in its own .args.h; `pitch` is a row stride in elements.

// The arguments of decompositions whose steps have phases (append_steps() of ops/linalg/matrices.hpp): cholesky.comp and
// lu.comp.
#define STEP_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, rows) /* and columns, of squares */ \
  ARRAY(uint, unused, 2) \
  ARGUMENT(uint, first_step) \
  ARGUMENT(uint, steps) \
  ARGUMENT(uint, groups) \
  ARRAY(uint, unused_end, 2)

// Their specialization constant.
#define STEP_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kPhase, 0)

// The specialization constants of kernels whose local size the host chooses, if they have no others.
#define MATRICES_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  LOCAL_SIZE(0)
