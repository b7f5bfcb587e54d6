// The first arguments of the kernels that include convolution/deform.glsl.
#define DEFORM_ARGUMENTS(ARGUMENT, ARRAY) \
  ARRAY(int, sizes, 2)     /* rows and columns of the image */ \
  ARRAY(uint, strides, 2)  /* of the image, in elements */ \
  ARRAY(int, before, 2)    /* padding before rows and columns */ \
  ARGUMENT(uint, block_step) /* from the offset of a column to that of a row, and from there to the factor */
