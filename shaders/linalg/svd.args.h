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
