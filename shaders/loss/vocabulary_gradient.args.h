// The arguments and the specialization constants of loss/vocabulary_gradient.comp.
#define VOCABULARY_GRADIENT_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, samples) \
  ARGUMENT(uint, classes) \
  ARGUMENT(uint, first)

#define VOCABULARY_GRADIENT_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, bool, kWideOffsets, false)
