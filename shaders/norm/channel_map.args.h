// The arguments and the specialization constants of norm/channel_map.comp.
#define CHANNEL_MAP_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, plane) \
  ARGUMENT(float, swish)

#define CHANNEL_MAP_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kFlags, 0)
