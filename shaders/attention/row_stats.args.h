// The arguments and the specialization constants of attention/row_stats.comp.
#define ROW_STATS_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, rows) \
  ARGUMENT(uint, heads) \
  ARGUMENT(uint, tokens) \
  ARGUMENT(uint, columns) \
  ARRAY(uint, dy_strides, 3) \
  ARRAY(uint, y_strides, 3) \
  ARRAY(uint, row_max_strides, 3) \
  ARRAY(uint, row_sum_strides, 3) \
  ARGUMENT(uint, sink_stride)

#define ROW_STATS_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kDtype0, 0) \
  CONSTANT(1, uint, kSink, 0) \
  CONSTANT(2, uint, kDtype4, 0)
