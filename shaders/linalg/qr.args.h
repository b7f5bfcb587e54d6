// The specialization constants of the kernels of QR decompositions.
#define QR_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kUnroll, 1) /* unroll factor of loops over rows (common/bounded_loop.glsl) */

#define QR_Q_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kUnroll, 1) /* unroll factor of loops over rows (common/bounded_loop.glsl) */

#define QR_SCALE_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, bool, kBack, false) \
  CONSTANT(1, uint, kUnroll, 1) /* unroll factor of loops over rows (common/bounded_loop.glsl) */
