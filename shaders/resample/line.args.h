// The arguments and the specialization constants of resample/line.comp.
#define LINE_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, inputs) \
  ARGUMENT(uint, outputs) \
  ARGUMENT(uint, stride) \
  ARGUMENT(uint, first_iteration) \
  ARGUMENT(uint, iterations) \
  ARRAY(uint, scale, 4) \
  ARRAY(uint, factor, 4) \
  ARGUMENT(uint, offset) \
  ARGUMENT(uint, size) \
  ARGUMENT(uint, step) \
  ARGUMENT(uint, before) \
  ARGUMENT(uint, after) \
  ARGUMENT(uint, dilation) \
  ARGUMENT(uint, tap_stride) \
  ARGUMENT(uint, divisor) \
  ARGUMENT(uint, period) \
  ARGUMENT(uint, inverse)

#define LINE_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kMap, 0) \
  CONSTANT(1, bool, kAdjoint, false) \
  CONSTANT(2, uint, kDivisor, 0)
