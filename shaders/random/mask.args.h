// The arguments and the specialization constants of random/mask.comp, after those of random/source.glsl.
#define MASK_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, dropped) \
  ARGUMENT(uint, rank) \
  ARGUMENT(uint, noise_step) \
  ARRAY(uint, shape, 8)

#define MASK_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, bool, kHasNoiseShape, false)
