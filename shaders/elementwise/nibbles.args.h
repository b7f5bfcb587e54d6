// The arguments and the specialization constants of elementwise/nibbles.comp.
#define NIBBLES_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, words)

#define NIBBLES_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kElements, 29) /* INT4, FLOAT4_E2M1 or FLOAT4_E1M2 */
