// The arguments of convolution/deform_taps.comp, after those of convolution/deform.glsl.
#define DEFORM_TAPS_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, corner)
