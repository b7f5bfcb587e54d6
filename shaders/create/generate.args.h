// The arguments and the specialization constants of create/generate.comp.
#define GENERATE_ARGUMENTS(ARGUMENT, ARRAY) \
  ARRAY(uint, start, 2) \
  ARRAY(uint, end, 2) \
  ARRAY(uint, step, 2) \
  ARGUMENT(uint, count) \
  ARGUMENT(float, logarithm) \
  ARGUMENT(uint, negative_base)

#define GENERATE_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kSequence, 0)
