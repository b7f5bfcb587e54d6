// The arguments and the specialization constants of reduction/distance_gradient.comp.
#define DISTANCE_GRADIENT_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(float, exponent)

#define DISTANCE_GRADIENT_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kNorm, 0)
