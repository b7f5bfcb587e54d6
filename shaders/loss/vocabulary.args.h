// The arguments and the specialization constants of loss/vocabulary.comp.
#define VOCABULARY_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, samples) \
  ARGUMENT(uint, classes) \
  ARGUMENT(uint, start_low) \
  ARGUMENT(uint, start_high) \
  ARGUMENT(uint, end_low) \
  ARGUMENT(uint, end_high) \
  ARGUMENT(uint, mask_word)

#define VOCABULARY_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, bool, kWideTargets, false) \
  CONSTANT(1, bool, kWideOffsets, false) \
  CONSTANT(2, bool, kBits, false) /* the mask has a bit a sample */
