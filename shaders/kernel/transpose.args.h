// The arguments and the specialization constants of kernel/transpose.comp.
#define TRANSPOSE_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, threads) \
  ARGUMENT(uint, row) \
  ARGUMENT(uint, column) \
  ARGUMENT(uint, x_step) \
  ARGUMENT(uint, z_step) \
  ARGUMENT(uint, blocks_of_row) \
  ARGUMENT(uint, blocks_of_column) \
  ARGUMENT(uint, block_shift) \
  ARRAY(uint, sizes, 5) \
  ARRAY(uint, x_steps, 5) \
  ARRAY(uint, z_steps, 5)

#define TRANSPOSE_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kSize, 4) /* bytes of an element, at most 8 */ \
  CONSTANT(1, uint, kOuter, 0) \
  CONSTANT(2, bool, kWholeRows, false) /* rows of x consist of aligned vec8s */ \
  CONSTANT(3, bool, kWholeColumns, false) /* columns of z do */
