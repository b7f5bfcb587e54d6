// The arguments and the specialization constants of builtin/random_numbers.comp.
#define RANDOM_NUMBERS_ARGUMENTS(ARGUMENT, ARRAY) \
  ARRAY(uint, host_values, 10) /* two words for each of operands 0 to 4, if it is not in memory */ \
  ARRAY(uint, first, 2) /* the index of the first value of the launch */ \
  ARGUMENT(uint, capacity) /* the most values of the launch */

#define RANDOM_NUMBERS_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kDtype, kFloat) \
  CONSTANT(1, uint, kFunction, 1) \
  CONSTANT(2, uint, kByAddress, 0) /* a bit for each of operands 0 to 4 that is in memory; the others are arguments */ \
  CONSTANT(3, uint, kSizes, 0) /* the bytes of operands 0 to 4, four bits each */
