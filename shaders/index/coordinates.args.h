// The arguments of index/coordinates.comp.
#define COORDINATES_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, inner) \
  ARGUMENT(uint, size)
