// The arguments and the specialization constants of reduction/histogram.comp.
#define HISTOGRAM_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, bins) \
  ARRAY(uint, low, 2) \
  ARRAY(uint, high, 2)

#define HISTOGRAM_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kPhase, 0) \
  CONSTANT(1, bool, kDirect, false) \
  CONSTANT(2, bool, kOwnRange, false)
