// The arguments and the specialization constants of the kernels that include reduction/reduction.glsl.
#define REDUCTION_ARGUMENTS(ARGUMENT, ARRAY) \
  ARRAY(uint, argument, 4) \
  ARGUMENT(uint, before) /* elements of the row before those of this kernel */

#define REDUCTION_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kOperator, 0) \
  CONSTANT(1, uint, kStates, 0) \
  CONSTANT(2, uint, kPartial, 0)

// The constants of kernels with two outputs, after those.
#define OUTPUTS_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kOutputs, 3) /* a bit for each output that is wanted */
