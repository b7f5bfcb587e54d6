// The arguments and the specialization constants of glu/row_mask.comp.
#define ROW_MASK_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, rows)

#define ROW_MASK_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, bool, kLimited, true)
