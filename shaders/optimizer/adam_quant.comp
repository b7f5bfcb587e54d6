#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// A step of AdamW with 8-bit moments, one work group a block: a moment is map[code] * absmax of its block. Operands:
// the variable and the gradient (floats); the codes of the first and of the second moments; the absmax of both for each
// block; and a table with the four coefficients of adam_coefficients.comp and the two maps in ascending order. The
// first pass finds the new absmax of the block, the second requantises.

#extension GL_EXT_control_flow_attributes : enable

#include "optimizer/adam_quant.args.h"
#define THREADS 64
layout(local_size_x = THREADS) in;

#define OPERANDS 7
#define OWN_ARGUMENTS ADAM_QUANT_ARGUMENTS
#include "common/kernel.glsl"

shared vec2 shared_absmax[THREADS];

const uint kFirstMap = 16, kSecondMap = 16 + 4 * 256;

float number_at(uvec2 table, uint map, uint code) { return uintBitsToFloat(word_6(table, map + 4 * code)); }

// The code of the nearest number by bisection; the lower code on a tie.
uint code_of(uvec2 table, uint map, float value) {
  uint low = 0;
  uint high = 255;
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    const uint middle = (low + high) / 2;
    const bool above = low < high && number_at(table, map, middle + 1) <= value;
    high = above || low == high ? high : middle;
    low = above ? middle + 1 : low;
  }
  const float below = number_at(table, map, low);
  const float above = number_at(table, map, min(low + 1, 255u));
  return value - below > above - value ? min(low + 1, 255u) : low;
}

// The moments after the step; 0 where the gradient is infinite or NaN.
vec2 moments_of(vec2 before, float g, vec4 betas) {
  const bool finite = !isnan(g) && !isinf(g);
  return finite ? vec2(before.x * betas.x + betas.y * g, before.y * betas.z + betas.w * g * g) : vec2(0.0);
}

uint byte_2(uvec2 slot, uint at) { return word_2(slot, at) >> 8 * (base_of(slot) + at & 3u) & 0xFFu; }
uint byte_3(uvec2 slot, uint at) { return word_3(slot, at) >> 8 * (base_of(slot) + at & 3u) & 0xFFu; }

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uint block_length = ACLVK_ARGUMENT(block_length);
  const float decay_factor = ACLVK_ARGUMENT(decay_factor);
  const vec4 betas = vec4(ACLVK_ARGUMENT(beta1), ACLVK_ARGUMENT(one_minus_beta1), ACLVK_ARGUMENT(beta2), ACLVK_ARGUMENT(one_minus_beta2));
  const float epsilon = ACLVK_ARGUMENT(epsilon);
  const float scale = ACLVK_ARGUMENT(scale);
  const uvec2 x_slot = slot_of(0);
  const uvec2 g_slot = slot_of(1);
  const uvec2 m_slot = slot_of(2);
  const uvec2 v_slot = slot_of(3);
  const uvec2 m_absmax = slot_of(4);
  const uvec2 v_absmax = slot_of(5);
  const uvec2 table = slot_of(6);
  const uint thread = gl_LocalInvocationID.x;
  const uint number = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint first = number * block_length;
  if (first >= count) return;
  const uint last = min(first + block_length, count);
  const vec4 coefficients = uintBitsToFloat(words4_6(table, 0));
  const vec2 absmax = vec2(uintBitsToFloat(word_4(m_absmax, 4 * number)), uintBitsToFloat(word_5(v_absmax, 4 * number)));
  vec2 found = vec2(0.0);
  for (uint i = first + thread; i < last; i += THREADS) {  // iterations: check_block() of ops/optimizer
    const vec2 before = absmax * vec2(number_at(table, kFirstMap, byte_2(m_slot, i)), number_at(table, kSecondMap, byte_3(v_slot, i)));
    found = max(found, abs(moments_of(before, uintBitsToFloat(word_1(g_slot, 4 * i)) * scale, betas)));
  }
  shared_absmax[thread] = found;
  barrier();
  for (uint other = 0; other < THREADS; ++other) found = max(found, shared_absmax[other]);
  for (uint i = first + thread; i < last; i += THREADS) {  // iterations: check_block() of ops/optimizer
    const vec2 before = absmax * vec2(number_at(table, kFirstMap, byte_2(m_slot, i)), number_at(table, kSecondMap, byte_3(v_slot, i)));
    const float g = uintBitsToFloat(word_1(g_slot, 4 * i)) * scale;
    const vec2 now = moments_of(before, g, betas);
    const float x = uintBitsToFloat(word_0(x_slot, 4 * i));
    const float changed = decay_factor * x - coefficients.x * now.x / (sqrt(now.y) / coefficients.y + epsilon);
    if (!isnan(g) && !isinf(g)) set_word_0(x_slot, 4 * i, floatBitsToUint(changed));
    const uint m = code_of(table, kFirstMap, found.x > 0.0 ? now.x / found.x : 0.0);
    const uint v = code_of(table, kSecondMap, found.y > 0.0 ? now.y / found.y : 0.0);
    const uint m_shift = 8 * (base_of(m_slot) + i & 3u);
    const uint v_shift = 8 * (base_of(v_slot) + i & 3u);
    merge_word_2(m_slot, i, 0xFFu << m_shift, m << m_shift);
    merge_word_3(v_slot, i, 0xFFu << v_shift, v << v_shift);
  }
  if (thread == 0) {
    set_word_4(m_absmax, 4 * number, floatBitsToUint(found.x));
    set_word_5(v_absmax, 4 * number, floatBitsToUint(found.y));
  }
}
