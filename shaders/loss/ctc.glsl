// The frame of the CTC kernels. Operand 0: log-probabilities (steps, batch, classes); operand 1: the targets of all
// samples, int32; values of states are (batch, steps, states). All are contiguous, in the dtype of the variant. A
// sample of S targets has 2 S + 1 states: blanks before, between and after the targets; an odd state s is target s / 2.
// A shader defines OPERANDS before it includes this.

#include "common/declare.glsl"
#include "loss/ctc.args.h"
struct SampleArguments {
  ACLVK_ARGUMENTS(SAMPLE_MEMBERS)
};
#define OWN_ARGUMENTS CTC_ARGUMENTS
#include "common/kernel.glsl"
#include "common/bounded_loop.glsl"

#if defined(VARIANT_f64)
const uint kPromoted = 11;
#else
const uint kPromoted = 0;
#endif

#include "common/compute.glsl"
#include "common/arithmetic.glsl"
#include "common/math/exponential.glsl"

#if defined(VARIANT_f64)
#define NUMBERS(k)                                                                           \
  T at_##k(uvec2 slot, uint index) { return packDouble2x32(words2_##k(slot, 8 * index)); }   \
  void set_##k(uvec2 slot, uint index, T value) { set_words2_##k(slot, 8 * index, unpackDouble2x32(value)); }
#else
#define NUMBERS(k)                                                                           \
  T at_##k(uvec2 slot, uint index) { return uintBitsToFloat(word_##k(slot, 4 * index)); }    \
  void set_##k(uvec2 slot, uint index, T value) { set_word_##k(slot, 4 * index, floatBitsToUint(value)); }
#endif
NUMBERS(0)

uvec2 log_probs;
uvec2 targets;
uint number;  // index of the sample
uint batch;
uint classes;
uint blank;
SampleArguments own;

void find_sample(uint index) {
  log_probs = slot_of(0);
  targets = slot_of(1);
  batch = ACLVK_ARGUMENT(batch);
  classes = ACLVK_ARGUMENT(classes);
  blank = ACLVK_ARGUMENT(blank);
  number = ACLVK_ARGUMENT(begin) + index;
  own.steps = ACLVK_ARGUMENT(all[index].steps);
  own.targets = ACLVK_ARGUMENT(all[index].targets);
  own.first = ACLVK_ARGUMENT(all[index].first);
}

uint own_states() { return 2u * own.targets + 1u; }
uint label_of(uint state) { return (state & 1u) == 0u ? blank : word_1(targets, 4 * (own.first + state / 2u)); }

// A target that is not a class has probability 0.
T log_prob(uint step, uint label) {
  return label < classes ? at_0(log_probs, (step * batch + number) * classes + label) : -infinity();
}

// log(e^x + e^y + e^z), shifted by the maximum.
T log_sum(T x, T y, T z) {
  const T highest = maximum(maximum(x, y), z);
  const T base = highest == -infinity() ? T(0) : highest;
  return log_of(exp_of(x - base) + exp_of(y - base) + exp_of(z - base)) + base;
}
