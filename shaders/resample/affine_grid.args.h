// The arguments and the specialization constants of resample/affine_grid.comp.
#define AFFINE_GRID_ARGUMENTS(ARGUMENT, ARRAY) \
  ARRAY(uint, sizes, 3) /* of the grid, the last dim first */ \
  ARGUMENT(uint, column_step) /* the stride between the columns of a matrix */

#define AFFINE_GRID_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kDims, 2) \
  CONSTANT(1, bool, kAlignCorners, false)
