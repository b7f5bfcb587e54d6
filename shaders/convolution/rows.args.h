// The first arguments and specialization constants of the kernels that include convolution/rows.glsl.
#define WINDOW_ROWS_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, threads) \
  ARGUMENT(uint, vec8s) \
  ARRAY(uint, out_sizes, 3) \
  ARGUMENT(uint, blocks) \
  ARRAY(uint, taps, 3) \
  ARGUMENT(uint, channels) \
  ARGUMENT(uint, image_step) \
  ARGUMENT(uint, channel_step) \
  ARRAY(uint, steps, 2) \
  ARRAY(int, pads_before, 3) \
  ARRAY(uint, dilations, 2) \
  ARRAY(uint, extents, 3) \
  ARRAY(uint, strides, 3)

#define WINDOW_ROWS_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  LOCAL_SIZE(0) \
  CONSTANT(1, uint, kTaps, 1) /* neighbouring taps: a block */ \
  CONSTANT(2, uint, kStep, 1) /* stride along the last dim */ \
  CONSTANT(3, uint, kDilation, 1) /* dilation along the last dim */ \
  CONSTANT(4, uint, kShared, 0) /* taps of a block share elements, which are loaded once */ \
  CONSTANT(5, uint, kWholeTaps, 0) /* the window consists of whole blocks */ \
  CONSTANT(6, uint, kWholeRows, 0) /* rows consist of whole vec8s, each stored in one access */
