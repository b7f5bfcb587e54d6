// The arguments of the GEMM kernels (matmul/products/matrices.glsl) before those of the batch, and their specialization constants.
#define GEMM_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, rows) \
  ARGUMENT(uint, columns) \
  ARGUMENT(uint, k) \
  ARGUMENT(uint, row_tiles) \
  ARGUMENT(uint, column_tiles) \
  ARGUMENT(uint, batches) \
  ARRAY(uint, row_strides, 4) \
  ARRAY(uint, column_strides, 4) \
  ARRAY(uint, alpha, 2) \
  ARRAY(uint, beta, 2) \
  ARGUMENT(uint, gap)

#define GEMM_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  LOCAL_SIZE(0) \
  CONSTANT(1, uint, kLanes, 8) /* neighbouring threads that share loads of a; at most 8 */ \
  CONSTANT(2, uint, kRows, 16) /* of a tile */ \
  CONSTANT(3, uint, kAlong, 0) /* vec8s of b: 1 along its columns, 2 along K, 0 none */ \
  CONSTANT(4, uint, kWholeK, 0) /* K is a multiple of eight */ \
  CONSTANT(5, uint, kWideStore, 0) /* columns, too, and out is stored in vec8s */ \
  CONSTANT(6, uint, kHasC, 0) /* c is read */ \
  CONSTANT(7, uint, kRank, 0) /* of the batch */ \
  CONSTANT(8, uint, kDtype0, 0) \
  CONSTANT(9, uint, kDtype1, 0) \
  CONSTANT(10, uint, kDtype2, 0) \
  CONSTANT(11, uint, kDtype3, 0) \
  CONSTANT(12, uint, kPromoted, 0) \
  CONSTANT(13, uint, kBlockedDim, 0) /* the dim that blocks split: 1 rows of a, 2 columns of a, 3 and 4 those of b; from bit 3 on log2 of a \
     part's size. From one part to the next there are `gap` elements more than the stride says. */
