// The arguments and the specialization constants of convolution/depthwise.comp, after those of convolution/rows.glsl.
#define DEPTHWISE_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, out_channels) \
  ARGUMENT(uint, bias_stride) \
  ARRAY(uint, out_strides, 6)

#define DEPTHWISE_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kBias, 0) \
  CONSTANT(1, uint, kDtype0, 0) \
  CONSTANT(2, uint, kDtype1, 0) \
  CONSTANT(3, uint, kDtype2, 0) \
  CONSTANT(4, uint, kDtype3, 0)
