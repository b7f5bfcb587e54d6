// The specialization constants of matmul/products/sweep.comp, after those of matmul/products/matrices.glsl.
#define SWEEP_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kSpans, 1)
