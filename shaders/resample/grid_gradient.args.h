// The arguments of resample/grid_gradient.comp, after those of resample/grid.glsl.
#define GRID_GRADIENT_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, channels) \
  ARGUMENT(uint, channel_step) \
  ARGUMENT(uint, gradient_step)
