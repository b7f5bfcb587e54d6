// The arguments and the specialization constants of sort/block.comp.
#define BLOCK_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, rows) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, span) \
  ARGUMENT(uint, chunks) \
  ARGUMENT(uint, keep) \
  ARGUMENT(uint, nan_key) \
  ARGUMENT(uint, key_mask)

#define BLOCK_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  LOCAL_SIZE(0) \
  CONSTANT(1, uint, kDtype, kFloat) \
  CONSTANT(2, uint, kSize, 4) \
  CONSTANT(3, bool, kMerges, false) /* false: a run is the eight elements of a thread */
