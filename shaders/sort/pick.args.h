// The arguments and the specialization constants of sort/pick.comp.
#define PICK_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, first) \
  ARGUMENT(uint, step)

#define PICK_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, bool, kWideKeys, false) \
  CONSTANT(1, bool, kElements, false) /* false: indices */ \
  CONSTANT(2, uint, kPick, 0)
