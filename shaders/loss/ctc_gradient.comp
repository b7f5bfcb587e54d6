#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// The gradient of shaders/loss/ctc.comp for each step and class of a sample: (exp(x) - exp(ways + loss - x)) * gradient, where `ways` is the
// logarithm of the probability of all ways through the class in this step. First for classes without ways, a thread each; then, with
// kTargets, for those that states have: a thread for the blank and one for each target, of which the first one of a class does it.
// Operands 2 and 3 are ways to states and on from them, 4 the losses, 5 their gradients, 6 the result.

#define OPERANDS 7
#define THREADS 64
layout(local_size_x = THREADS) in;
#include "loss/ctc.glsl"
NUMBERS(2)
NUMBERS(3)
NUMBERS(4)
NUMBERS(5)
NUMBERS(6)

layout(constant_id = 0) const bool kTargets = false;
layout(constant_id = 1) const uint kUnroll = 1;

struct Sum {
  T highest;
  T sum;
};

void take(inout Sum sum, T x) {
  if (x == -infinity()) return;
  const T higher = maximum(sum.highest, x);
  sum.sum = (sum.highest == -infinity() ? T(0) : sum.sum * exp_of(sum.highest - higher)) + exp_of(x - higher);
  sum.highest = higher;
}

T gradient_of(uint step, uint label, T ways) {
  const T loss = at_4(slot_of(4), number);
  const bool counts = step < own.steps && !(ACLVK_ARGUMENT(zero_infinity) != 0u && loss == infinity());
  const T x = log_prob(step, label);
  // Infinities without a difference are no number; a class without ways and a loss has no second term.
  const T second = ways == -infinity() && loss != infinity() ? T(0) : exp_of(ways + loss - x);
  return counts ? (exp_of(x) - second) * at_5(slot_of(5), number) : T(0);
}

void main() {
  const uint count = ACLVK_ARGUMENT(samples);
  const uint steps = ACLVK_ARGUMENT(steps);
  const uint states = ACLVK_ARGUMENT(states);
  const uint width = kTargets ? (states + 1u) / 2u : ACLVK_ARGUMENT(classes);
  const uint thread = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * THREADS + gl_LocalInvocationID.x;
  const uint column = thread % width;
  const uint step = thread / width % steps;
  const uint place = thread / width / steps;
  if (place >= count) return;
  find_sample(place);
  uint label = column;
  Sum sum = Sum(-infinity(), T(0));
  bool writes = true;
  if (kTargets) {
    // Column 0 is the blank, column n target n - 1.
    const uint state = column == 0u ? 0u : 2u * column - 1u;
    writes = step < own.steps && state < own_states();
    label = writes ? label_of(state) : 0u;
    writes = writes && label < classes && (column == 0u || label != blank);
    const uint end = writes ? own_states() : 0u;
    const uint start = (number * steps + step) * states;
    bool is_first = true;
    LOOP_OVER(other, 0u, end, 1u) {
      if (label_of(other) == label) {
        if (other < state) is_first = false;
        take(sum, at_2(slot_of(2), start + other) + at_3(slot_of(3), start + other));
      }
    }
    writes = writes && is_first;
  }
  if (!writes) return;
  const T ways = sum.highest == -infinity() ? -infinity() : sum.highest + log_of(sum.sum);
  set_6(slot_of(6), (step * batch + number) * classes + label, gradient_of(step, label, ways));
}
