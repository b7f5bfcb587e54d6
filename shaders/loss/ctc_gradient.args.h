// The specialization constants of loss/ctc_gradient.comp.
#define CTC_GRADIENT_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, bool, kTargets, false) \
  CONSTANT(1, uint, kUnroll, 1)
