// The arguments and the specialization constants of quant/quantize.comp.
#define QUANTIZE_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(float, scale) \
  ARGUMENT(float, offset)

#define QUANTIZE_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kActivation, 0) \
  CONSTANT(1, bool, kDivides, false) \
  CONSTANT(2, bool, kKeepsZeros, false)
