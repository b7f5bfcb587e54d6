// The specialization constants of matmul/quantised/quant_word.comp.
#define QUANT_WORD_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kPart, 0)
