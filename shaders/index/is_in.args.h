// The arguments and the specialization constants of index/is_in.comp.
#define IS_IN_ARGUMENTS(ARGUMENT, ARRAY) \
  ARRAY(uint, scalar, 4)

#define IS_IN_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kInvert, 0) \
  CONSTANT(1, bool, kAny, false)
