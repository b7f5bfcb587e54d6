// The arguments of the CTC kernels (loss/ctc.glsl), and the specialization constants of loss/ctc.comp.
#define SAMPLE_MEMBERS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, steps) /* steps of the sample */ \
  ARGUMENT(uint, targets) /* its number of targets */ \
  ARGUMENT(uint, first) /* index of its first target */

#define CTC_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, samples) \
  ARGUMENT(uint, begin) \
  ARGUMENT(uint, steps) \
  ARGUMENT(uint, batch) \
  ARGUMENT(uint, classes) \
  ARGUMENT(uint, states) \
  ARGUMENT(uint, blank) \
  ARGUMENT(uint, first) \
  ARGUMENT(uint, last) \
  ARGUMENT(uint, zero_infinity) \
  ARRAY(SampleArguments, all, 32)

#define CTC_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, bool, kBackwards, false) \
  CONSTANT(1, bool, kLoss, false)
