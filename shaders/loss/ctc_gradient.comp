#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// The gradient of ctc.comp by the log-probability x of each step and class: (exp(x) - exp(log_paths + loss - x)) *
// gradient, where log_paths = log-sum-exp of alpha + beta over the states of that class. The first kernel handles
// classes without states, one thread a class; with kTargets the second handles the blank and each target, where the
// first of equal targets writes. Operand 2: alpha, 3: beta, 4: losses, 5: their gradients, 6: the result.

#include "loss/ctc_gradient.args.h"
#define OPERANDS 7
#define THREADS 64
layout(local_size_x = THREADS) in;
#include "loss/ctc.glsl"
NUMBERS(2)
NUMBERS(3)
NUMBERS(4)
NUMBERS(5)
NUMBERS(6)

ACLVK_CONSTANTS(CTC_GRADIENT_CONSTANTS)

struct Sum {
  T highest;
  T sum;
};

void accumulate(inout Sum sum, T x) {
  if (x == -infinity()) return;
  const T higher = maximum(sum.highest, x);
  sum.sum = (sum.highest == -infinity() ? T(0) : sum.sum * exp_of(sum.highest - higher)) + exp_of(x - higher);
  sum.highest = higher;
}

T gradient_of(uint step, uint label, T log_paths) {
  const T loss = at_4(slot_of(4), number);
  const bool counts = step < own.steps && !(ACLVK_ARGUMENT(zero_infinity) != 0u && loss == infinity());
  const T x = log_prob(step, label);
  // infinity - infinity would be NaN; a class without paths has no second term if the loss is finite.
  const T second = log_paths == -infinity() && loss != infinity() ? T(0) : exp_of(log_paths + loss - x);
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
  const uint index = thread / width / steps;
  if (index >= count) return;
  find_sample(index);
  uint label = column;
  Sum sum = Sum(-infinity(), T(0));
  bool writes = true;
  if (kTargets) {
    // Column 0 is the blank, column n is target n - 1.
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
        accumulate(sum, at_2(slot_of(2), start + other) + at_3(slot_of(3), start + other));
      }
    }
    writes = writes && is_first;
  }
  if (!writes) return;
  const T log_paths = sum.highest == -infinity() ? -infinity() : sum.highest + log_of(sum.sum);
  set_6(slot_of(6), (step * batch + number) * classes + label, gradient_of(step, label, log_paths));
}
