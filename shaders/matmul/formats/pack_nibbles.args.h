// The arguments and the specialization constants of matmul/formats/pack_nibbles.comp.
#define PACK_NIBBLES_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, words) \
  ARGUMENT(uint, words_of_row) \
  ARGUMENT(uint, rows_of_block) \
  ARGUMENT(uint, block_columns) \
  ARGUMENT(uint, rows) \
  ARGUMENT(uint, columns) \
  ARGUMENT(uint, matrix_stride) \
  ARGUMENT(uint, row_stride) \
  ARGUMENT(uint, column_stride)

#define PACK_NIBBLES_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kReal, 0)
