// The arguments and the specialization constants of common/pointwise.glsl.
#define POINTWISE_ARGUMENTS(ARGUMENT, ARRAY) \
  ARRAY(uint, attributes, 4) \
  ARRAY(uint, scalar, 4)

#define POINTWISE_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kOperator, 0)
