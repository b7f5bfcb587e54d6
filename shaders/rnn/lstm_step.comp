#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : enable
// variants: f32
// A step of an LSTM over a sequence: c' = f c + i g and h' = o tanh(c'), with i, f, o the sigmoid and g the tanh of
// their preactivations. All operands are floats in the workspace: the preactivations, gate by gate; h and c side by
// side; the packed rows, ~0 where a sequence has ended and keeps its state; h' and c'; and, with kSaves, i, f, g, o and
// tanh(c'). One thread an element of h.

#include "rnn/lstm_step.args.h"
#define OPERANDS 5
#define OWN_ARGUMENTS LSTM_STEP_ARGUMENTS
#include "common/kernel.glsl"

layout(local_size_x = 64) in;
ACLVK_CONSTANTS(LSTM_STEP_CONSTANTS)
const uint kPromoted = 0;  // float

#include "common/compute.glsl"
#include "common/math/exponential.glsl"

T float_0(uint at) { return uintBitsToFloat(word_0(slot_of(0), 4u * at)); }
T float_1(uint at) { return uintBitsToFloat(word_1(slot_of(1), 4u * at)); }
void set_float_3(uint at, T value) { set_word_3(slot_of(3), 4u * at, floatBitsToUint(value)); }

void save(uint at, uint size, T values[5]) {
  [[unroll]] for (uint part = 0; part < 5; ++part) set_word_4(slot_of(4), 4u * (at + part * size), floatBitsToUint(values[part]));
}

void main() {
  const uint batch = ACLVK_ARGUMENT(batch);
  const uint size = ACLVK_ARGUMENT(size);
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint place = group * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  const uint row = place / size;
  if (row >= batch) return;
  const uint column = place - row * size;
  const uint preactivations = 4u * row * size + column;
  const uint state = 2u * row * size + column;
  const uint saved = 5u * row * size + column;
  T h = float_1(state);
  T c = float_1(state + size);
  T values[5] = T[5](T(0), T(0), T(0), T(0), T(0));
  if (!kPacked || word_2(slot_of(2), 4u * row) != ~0u) {
    const T i = sigmoid_of(float_0(preactivations));
    const T f = sigmoid_of(float_0(preactivations + size));
    const T g = tanh_of(float_0(preactivations + 2u * size));
    const T o = sigmoid_of(float_0(preactivations + 3u * size));
    c = f * c + i * g;
    const T t = tanh_of(c);
    h = o * t;
    values = T[5](i, f, g, o, t);
  }
  set_float_3(state, h);
  set_float_3(state + size, c);
  if (kSaves) save(saved, size, values);
}
