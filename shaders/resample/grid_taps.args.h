// The arguments of resample/grid_taps.comp, after those of resample/grid.glsl.
#define GRID_TAPS_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, tap)
