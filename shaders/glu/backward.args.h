// The specialization constants of the variant single of glu/backward.comp, after those of glu/unit.glsl.
#define BACKWARD_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kGradientOf, 0)
