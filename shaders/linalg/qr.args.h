// The specialization constants of the kernels of QR decompositions.
#define QR_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kUnroll, 1) /* unroll factor of loops over rows (common/bounded_loop.glsl) */

#define QR_Q_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kUnroll, 1) /* unroll factor of loops over rows (common/bounded_loop.glsl) */

#define QR_SCALE_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, bool, kBack, false) \
  CONSTANT(1, uint, kUnroll, 1) /* unroll factor of loops over rows (common/bounded_loop.glsl) */

// Their arguments; operand 0 is rows x columns.
#define QR_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, rows) \
  ARGUMENT(uint, columns) \
  ARGUMENT(uint, reflectors) /* min(rows, columns) */ \
  ARGUMENT(uint, first_step) /* one for each reflector */ \
  ARGUMENT(uint, steps) \
  ARGUMENT(uint, groups) \
  ARRAY(uint, unused_end, 2)

#define QR_Q_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, rows) \
  ARGUMENT(uint, columns) \
  ARGUMENT(uint, q_columns) \
  ARGUMENT(uint, first_step) /* from the last reflector back */ \
  ARGUMENT(uint, steps) \
  ARGUMENT(uint, groups) \
  ARRAY(uint, unused_end, 2)

#define QR_R_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, rows) \
  ARGUMENT(uint, columns) \
  ARGUMENT(uint, r_rows) \
  ARRAY(uint, unused, 2) \
  ARGUMENT(uint, groups) \
  ARRAY(uint, unused_end, 2)

#define QR_PANEL_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, rows) \
  ARGUMENT(uint, columns) /* as pitch; not read */ \
  ARGUMENT(uint, v_pitch) \
  ARGUMENT(uint, first_column) /* of the panel, and its first row */ \
  ARGUMENT(uint, unused) \
  ARGUMENT(uint, groups) \
  ARGUMENT(uint, unused_end) \
  ARGUMENT(uint, pitch)

#define QR_SCALE_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, rows) /* with padding */ \
  ARGUMENT(uint, given_columns) /* without padding */ \
  ARRAY(uint, unused, 3) \
  ARGUMENT(uint, groups) \
  ARGUMENT(uint, given_rows) /* without padding */ \
  ARGUMENT(uint, pitch) /* columns with padding */
