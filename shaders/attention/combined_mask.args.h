// The arguments and the specialization constants of attention/combined_mask.comp.
#define COMBINED_MASK_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, byte_stride)

#define COMBINED_MASK_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kMasked, 0)
