#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// The coefficients that all elements of a step of Adam share, four floats in an element of 16 bytes: learning rate / (1
// - beta1^step), sqrt(1 - beta2^step), the gradient scale, and a flag that skips the step. Operands: step; scale; flag;
// the result; scale and flag are optional. The betas are given as logarithms: 1 - beta^step = -expm1(step * log(beta))
// has no cancellation for betas near 1.

#include "optimizer/adam_coefficients.args.h"
#define OPERANDS 4
#define OWN_ARGUMENTS ADAM_COEFFICIENTS_ARGUMENTS
#include "common/strided.glsl"
#include "common/math/exponential.glsl"

void main() {
  const float rate = ACLVK_ARGUMENT(rate);
  const float log_beta1 = ACLVK_ARGUMENT(log_beta1);
  const float log_beta2 = ACLVK_ARGUMENT(log_beta2);
  if (!find_lanes()) return;
  T step[LANES];
  T scale[LANES];
  T found[LANES];
  LOAD(0, step);
  scale[0] = T(1);
  found[0] = T(0);
  if (mode_of(1) != kNotLoaded) LOAD(1, scale);
  if (mode_of(2) != kNotLoaded) LOAD(2, found);
  const T first = -expm1_of(step[0] * log_beta1);
  const T second = -expm1_of(step[0] * log_beta2);
  raw[0] = floatBitsToUint(vec4(rate / first, sqrt(second), scale[0], found[0]));
  [[unroll]] for (uint i = 1; i < kLanes; ++i) raw[i] = raw[0];
  STORE_BITS(3);
}
