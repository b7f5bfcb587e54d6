// The arguments of convolution/deform_gradient.comp, after those of convolution/deform.glsl, and its specialization constants.
#define DEFORM_GRADIENT_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, channels) \
  ARGUMENT(uint, channel_step) \
  ARGUMENT(uint, gradient_step)

#define DEFORM_GRADIENT_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kBlock, 0)
