// The arguments and the specialization constants of sort/ranks.comp.
#define RANKS_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, rows)

#define RANKS_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, bool, kUnordered, false)
