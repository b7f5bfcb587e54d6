// The specialization constants of the kernels that include scan/scan.glsl.
#define SCAN_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kOperator, 0) \
  CONSTANT(1, uint, kPhase, 0) \
  CONSTANT(2, bool, kExclusive, false) /* a result does not include its own element */ \
  CONSTANT(3, bool, kReverse, false)   /* from the end */
