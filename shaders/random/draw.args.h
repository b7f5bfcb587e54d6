// The arguments and the specialization constants of random/draw.comp, after those of random/source.glsl.
#define DRAW_ARGUMENTS(ARGUMENT, ARRAY) \
  ARRAY(uint, first, 2) \
  ARRAY(uint, second, 2) \
  ARRAY(uint, third, 2)

#define DRAW_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kDistribution, 0) \
  CONSTANT(1, bool, kInOrder, false) /* lanes are adjacent, and the first one starts a block */
