// The arguments of rnn/packed_rows.comp.
#define PACKED_ROWS_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, steps) \
  ARGUMENT(uint, batch) \
  ARGUMENT(uint, step) \
  ARGUMENT(uint, total)
