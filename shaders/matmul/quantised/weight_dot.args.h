// The arguments and the specialization constants of matmul/quantised/weight_dot.comp.
#define WEIGHT_DOT_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, rows) \
  ARGUMENT(uint, columns) \
  ARGUMENT(uint, k) \
  ARGUMENT(uint, row_tiles) \
  ARGUMENT(uint, group) \
  ARGUMENT(uint, x_stride) \
  ARGUMENT(uint, weight_stride) \
  ARGUMENT(uint, scale_row) \
  ARGUMENT(uint, scale_column) \
  ARGUMENT(uint, offset_row) \
  ARGUMENT(uint, offset_column) \
  ARGUMENT(uint, bias_stride) \
  ARGUMENT(uint, y_row) \
  ARGUMENT(uint, y_column) \
  ARGUMENT(uint, gap)

#define WEIGHT_DOT_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  LOCAL_SIZE(0) \
  CONSTANT(1, uint, kLanes, 8) /* threads that share sums; at most 8 */ \
  CONSTANT(2, uint, kRows, 1) \
  CONSTANT(3, uint, kColumns, 8) \
  CONSTANT(4, uint, kDtype, 0) /* of x, scale, offset and y */ \
  CONSTANT(5, uint, kBits, 8) /* of an element of the weight */ \
  CONSTANT(6, uint, kVec8Loads, 1) /* x is read in vec8s */ \
  CONSTANT(7, uint, kWideLoads, 1) /* 32 elements of the weight, or a vec8 of a row, are one access */ \
  CONSTANT(8, uint, kOffset, 0) /* has an offset */ \
  CONSTANT(9, uint, kBias, 0) /* has a bias */ \
  CONSTANT(10, uint, kDtypeOfBias, 0) \
  CONSTANT(11, uint, kPromoted, 0) \
  CONSTANT(12, uint, kLog2BlockSize, 0) \
  CONSTANT(13, uint, kAlongColumns, 0) /* vec8s along the columns; kColumns is 8 */
