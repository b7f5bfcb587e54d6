// The specialization constants of convolution/im2col.comp, after those of convolution/rows.glsl.
#define IM2COL_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kSize, 4) /* bytes of an element */
