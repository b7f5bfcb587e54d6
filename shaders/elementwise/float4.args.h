// The arguments and the specialization constants of elementwise/float4.comp.
#define FLOAT4_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count)

#define FLOAT4_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kDtype, 40) /* FLOAT4_E2M1 or FLOAT4_E1M2 */
