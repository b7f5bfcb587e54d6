// The arguments and the specialization constants of the kernels that include glu/unit.glsl.
#define UNIT_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(float, alpha) \
  ARGUMENT(float, limit) \
  ARGUMENT(float, bias)

#define UNIT_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kOperator, 0)
