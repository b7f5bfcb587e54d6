// The specialization constants of the kernels of singular value decompositions.
#define SVD_APPLY_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  LOCAL_SIZE(0) \
  CONSTANT(1, uint, kLanes, 8) /* threads that share loads, at most 8 */ \
  CONSTANT(2, uint, kFlags, 1) /* flags of a matrix; the pairs' are the last ones */

#define SVD_BISECT_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  LOCAL_SIZE(0) \
  CONSTANT(1, uint, kLanes, 8) /* threads that share loads, at most 8 */ \
  CONSTANT(2, uint, kHalvings, 1) /* of all kernels together */

#define SVD_COLUMNS_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kStep, 0) \
  CONSTANT(1, bool, kConjugates, false) /* operand 0 is conjugated first */ \
  CONSTANT(2, bool, kVectors, true) /* V and A V are needed */ \
  CONSTANT(3, uint, kUnroll, 1) /* unroll factor of loops over rows (common/bounded_loop.glsl) */

#define SVD_DIVIDE_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, bool, kMeasures, true) /* else divides */ \
  CONSTANT(1, uint, kUnroll, 1) /* unroll factor of loops over rows (common/bounded_loop.glsl) */

#define SVD_GRAM_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  LOCAL_SIZE(0) \
  CONSTANT(1, uint, kLanes, 8) /* threads that share loads, at most 8 */ \
  CONSTANT(2, uint, kFlags, 1) /* flags of a matrix; the pairs' are the last ones */ \
  CONSTANT(3, uint, kOwn, 4) /* rows of the rotations' product that a thread has: kPair / threads, at most 16 threads */ \
  CONSTANT(4, bool, kAcross, false)

#define SVD_ROTATE_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kSweeps, 1) /* flags of a matrix in operand 2 */ \
  CONSTANT(1, bool, kVectors, true) \
  CONSTANT(2, uint, kUnroll, 1) /* unroll factor of loops over rows (common/bounded_loop.glsl) */

#define SVD_ROWS_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kStep, 0) \
  CONSTANT(1, uint, kUnroll, 1) /* unroll factor of loops over rows (common/bounded_loop.glsl) */ \
  CONSTANT(2, uint, kPitch, 1)

#define SVD_SIGNS_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, bool, kSigns, true) /* false: only sets Q to NaN where the values are */ \
  CONSTANT(1, uint, kSize, 1) \
  CONSTANT(2, uint, kStep, 1)

// Their arguments. `rows` and `columns` are those of A, unless a comment says otherwise.
#define SVD_APPLY_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, rows) /* of operand 0 */ \
  ARGUMENT(uint, columns) /* not read */ \
  ARGUMENT(uint, sweep) /* not read */ \
  ARGUMENT(uint, round) \
  ARGUMENT(uint, pairs) /* of a round */ \
  ARGUMENT(uint, groups) \
  ARGUMENT(uint, unused) \
  ARGUMENT(uint, pitch)

#define SVD_BISECT_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, rows) /* not read */ \
  ARGUMENT(uint, columns) \
  ARGUMENT(uint, unused) \
  ARGUMENT(uint, first_halving) \
  ARGUMENT(uint, halvings) \
  ARGUMENT(uint, groups) \
  ARRAY(uint, unused_end, 2)

#define SVD_COLUMNS_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, rows) \
  ARGUMENT(uint, columns) \
  ARGUMENT(uint, flags) /* of a matrix, one for each sweep and one more */ \
  ARRAY(uint, unused, 2) \
  ARGUMENT(uint, groups) \
  ARRAY(uint, unused_end, 2)

#define SVD_DIVIDE_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, rows) \
  ARGUMENT(uint, columns) \
  ARRAY(uint, unused, 3) \
  ARGUMENT(uint, groups) \
  ARGUMENT(uint, values_pitch) \
  ARGUMENT(uint, unused_end)

#define SVD_GRAM_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, rows) /* of operand 0 */ \
  ARGUMENT(uint, columns) /* of operand 0 that take part */ \
  ARGUMENT(uint, sweep) \
  ARGUMENT(uint, round) \
  ARGUMENT(uint, unused) \
  ARGUMENT(uint, groups) /* one for each pair of a round */ \
  ARGUMENT(uint, unused_end) \
  ARGUMENT(uint, pitch)

#define SVD_ROTATE_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, rows) \
  ARGUMENT(uint, columns) \
  ARGUMENT(uint, sweep) \
  ARGUMENT(uint, first_round) \
  ARGUMENT(uint, rounds) \
  ARGUMENT(uint, groups) \
  ARRAY(uint, unused_end, 2)

#define SVD_ROWS_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, rows) /* not read */ \
  ARGUMENT(uint, columns) \
  ARGUMENT(uint, flags) /* of a matrix */ \
  ARGUMENT(uint, unused) \
  ARGUMENT(uint, r_rows) \
  ARGUMENT(uint, groups) \
  ARGUMENT(uint, lines) /* rows of operand 1 */ \
  ARGUMENT(uint, pitch) /* of operand 1 */

#define SVD_SIGNS_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, q_rows) \
  ARGUMENT(uint, v_size) /* rows and columns of V */ \
  ARGUMENT(uint, q_columns) \
  ARRAY(uint, unused, 2) \
  ARGUMENT(uint, groups) \
  ARGUMENT(uint, unused_end) \
  ARGUMENT(uint, values_pitch)
