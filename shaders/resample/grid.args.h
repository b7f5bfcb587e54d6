// The first arguments and the specialization constants of the kernels that include resample/grid.glsl.
#define GRID_ARGUMENTS(ARGUMENT, ARRAY) \
  ARRAY(uint, sizes, 3) /* of the image's last three dims */ \
  ARRAY(uint, strides, 3) \
  ARGUMENT(uint, grid_step) /* the stride between the coordinates of a point */

#define GRID_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kDims, 2) \
  CONSTANT(1, uint, kInterpolation, 0) \
  CONSTANT(2, uint, kPadding, 0) \
  CONSTANT(3, bool, kAlignCorners, false)
