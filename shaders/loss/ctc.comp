#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// The forward-backward algorithm in log space, one work group a sample: the forward variables alpha of all states in
// each step (operand 2) or, with kBackwards, the backward variables beta. A kernel does steps `first` to `last`. kLoss
// also writes the negative log-likelihood (operand 3).

#define buffer coherent buffer
#define OPERANDS 4
#define THREADS 64
layout(local_size_x = THREADS) in;
#include "loss/ctc.glsl"
NUMBERS(2)
NUMBERS(3)

ACLVK_CONSTANTS(CTC_CONSTANTS)

uvec2 values;
uint steps;
uint states;

// Backwards, steps and states are numbered from the end.
uint step_of(uint step) { return kBackwards ? own.steps - 1u - step : step; }
uint state_of(uint state) { return kBackwards ? own_states() - 1u - state : state; }
uint index_of_state(uint step, uint state) { return (number * steps + step_of(step)) * states + state_of(state); }
T value_at(uint step, uint state) { return at_2(values, index_of_state(step, state)); }

T value_of_state(uint step, uint state) {
  const uint label = label_of(state_of(state));
  const T own_log = log_prob(step_of(step), label);
  if (step == 0u) return state < 2u ? own_log : -infinity();
  const T same = value_at(step - 1u, state);
  const T before = state > 0u ? value_at(step - 1u, state - 1u) : -infinity();
  const bool skips = state > 1u && label_of(state_of(state - 2u)) != label;
  const T two_before = skips ? value_at(step - 1u, state - 2u) : -infinity();
  return log_sum(same, before, two_before) + own_log;
}

T loss() {
  if (own.steps == 0u) return own.targets == 0u ? T(0) : infinity();
  const uint end = own_states();
  const T last = at_2(values, (number * steps + own.steps - 1u) * states + end - 1u);
  const T before = own.targets > 0u ? at_2(values, (number * steps + own.steps - 1u) * states + end - 2u) : -infinity();
  return -log_sum(last, before, -infinity());
}

void main() {
  const uint index = gl_WorkGroupID.x;
  if (index >= ACLVK_ARGUMENT(samples)) return;
  find_sample(index);
  values = slot_of(2);
  steps = ACLVK_ARGUMENT(steps);
  states = ACLVK_ARGUMENT(states);
  const uint first = ACLVK_ARGUMENT(first);
  const uint last = ACLVK_ARGUMENT(last);
  for (uint step = first; step < last; ++step) {  // iterations: ranges_of_steps() of ops/linalg
    const bool exists = step < own.steps;
    for (uint state = gl_LocalInvocationID.x; state < states; state += THREADS) {  // iterations: ops/loss/ctc.cpp counts those of a step
      const bool reached = exists && state < own_states();
      if (reached) set_2(values, index_of_state(step, state), value_of_state(step, state));
      else if (!kBackwards) set_2(values, (number * steps + step) * states + state, -infinity());
    }
    memoryBarrierBuffer();
    barrier();
  }
  if (!kLoss || gl_LocalInvocationID.x != 0u) return;
  const T result = loss();
  const bool zero = ACLVK_ARGUMENT(zero_infinity) != 0u && result == infinity();
  set_3(slot_of(3), number, zero ? T(0) : result);
}
