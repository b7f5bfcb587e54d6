#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : enable
// variants: f32
// The gradients of lstm_step.comp. All operands are floats in the workspace: the saved i, f, g, o and tanh(c'); c; the
// gradient of h' from the layer above; the gradients of h' and c' from the next step, side by side; the packed rows, ~0
// where a sequence has ended and these gradients are passed on; the gradients of the preactivations; those of h and c.
// The gradient of h lacks the product with W_hh and is only written for packed sequences. One thread an element of h.

#include "rnn/lstm_step_gradient.args.h"
#define OPERANDS 7
#define OWN_ARGUMENTS LSTM_STEP_GRADIENT_ARGUMENTS
#include "common/kernel.glsl"

layout(local_size_x = 64) in;
ACLVK_CONSTANTS(LSTM_STEP_GRADIENT_CONSTANTS)

float float_0(uint at) { return uintBitsToFloat(word_0(slot_of(0), 4u * at)); }
float float_1(uint at) { return uintBitsToFloat(word_1(slot_of(1), 4u * at)); }
float float_2(uint at) { return uintBitsToFloat(word_2(slot_of(2), 4u * at)); }
float float_3(uint at) { return uintBitsToFloat(word_3(slot_of(3), 4u * at)); }
void set_float_6(uint at, float value) { set_word_6(slot_of(6), 4u * at, floatBitsToUint(value)); }

void main() {
  const uint batch = ACLVK_ARGUMENT(batch);
  const uint size = ACLVK_ARGUMENT(size);
  const uint y_step = ACLVK_ARGUMENT(y_step);
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint place = group * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  const uint row = place / size;
  if (row >= batch) return;
  const uint column = place - row * size;
  const uint saved = 5u * row * size + column;
  const uint state = 2u * row * size + column;
  float dh = float_3(state);
  float dc = float_3(state + size);
  vec4 preactivations = vec4(0);
  if (!kPacked || word_4(slot_of(4), 4u * row) != ~0u) {
    const float i = float_0(saved);
    const float f = float_0(saved + size);
    const float g = float_0(saved + 2u * size);
    const float o = float_0(saved + 3u * size);
    const float t = float_0(saved + 4u * size);
    dh += float_2(row * y_step + column);
    dc += dh * o * (1.0 - t * t);
    preactivations = vec4(dc * g * i * (1.0 - i), dc * float_1(row * size + column) * f * (1.0 - f), dc * i * (1.0 - g * g),
                dh * t * o * (1.0 - o));
    dh = 0.0;
    dc *= f;
  }
  [[unroll]] for (uint gate = 0; gate < 4; ++gate) {
    set_word_5(slot_of(5), 4u * (4u * row * size + gate * size + column), floatBitsToUint(preactivations[gate]));
  }
  if (kPacked) set_float_6(state, dh);
  set_float_6(state + size, dc);
}
