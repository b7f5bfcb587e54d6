// The arguments of random/integers.comp, after those of random/source.glsl.
#define INTEGERS_ARGUMENTS(ARGUMENT, ARRAY) \
  ARRAY(uint, low, 2) \
  ARRAY(uint, range, 2)
