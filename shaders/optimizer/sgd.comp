#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// A step of stochastic gradient descent with momentum. Operands: the gradient scale; the momentum buffers; the
// gradient; the variable. kScaled divides the gradient by the scale and stores it. kMomentum updates the buffers; with
// kFirst they are initialised by the gradient.

#include "optimizer/sgd.args.h"
#define OPERANDS 4
#define OWN_ARGUMENTS SGD_ARGUMENTS
#include "common/strided.glsl"

ACLVK_STORES(1)
ACLVK_STORES(2)
ACLVK_LOADS(3)

ACLVK_CONSTANTS(SGD_CONSTANTS)
const bool kScaled = (kFlags & 1u) != 0;
const bool kMomentum = (kFlags & 2u) != 0;
const bool kFirst = (kFlags & 4u) != 0;
const bool kNesterov = (kFlags & 8u) != 0;
const bool kMaximize = (kFlags & 16u) != 0;

void main() {
  const float decay = ACLVK_ARGUMENT(decay);
  const float momentum = ACLVK_ARGUMENT(momentum);
  const float one_minus_dampening = ACLVK_ARGUMENT(one_minus_dampening);
  const float rate = ACLVK_ARGUMENT(rate);
  if (!find_lanes()) return;
  T scale[LANES];
  T buffers[LANES];
  T g[LANES];
  T x[LANES];
  if (kScaled) LOAD(0, scale);
  if (kMomentum && !kFirst) LOAD(1, buffers);
  LOAD(2, g);
  LOAD(3, x);
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    if (kScaled) g[i] = g[i] / scale[i];
    T gradient = kMaximize ? -g[i] : g[i];
    if (decay != 0.0) gradient += decay * x[i];
    if (kMomentum) {
      buffers[i] = kFirst ? gradient : momentum * buffers[i] + one_minus_dampening * gradient;
      gradient = kNesterov ? gradient + momentum * buffers[i] : buffers[i];
    }
    x[i] -= rate * gradient;
  }
  if (kScaled) STORE(2, g);
  if (kMomentum) STORE(1, buffers);
  STORE(3, x);
}
