// The specialization constants of pooling/maximum.comp, after those of pooling/windows.glsl.
#define MAXIMUM_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, bool, kIndices, false)
