// The arguments and the specialization constants of rnn/packed.comp.
#define PACKED_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, rows) \
  ARGUMENT(uint, columns) \
  ARGUMENT(uint, batch) \
  ARGUMENT(uint, row_step) \
  ARGUMENT(uint, column_step)

#define PACKED_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kMove, 0) \
  CONSTANT(1, uint, kDtype1, 0)
