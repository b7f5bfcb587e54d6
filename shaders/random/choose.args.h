// The arguments of random/choose.comp, after those of random/source.glsl.
#define CHOOSE_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, step)
