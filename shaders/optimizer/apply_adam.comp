#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// A step of Adam, or of AdamW (kDecoupled), with hyperparameters in memory. Operand 0, floats: beta1^step, beta2^step,
// learning rate, beta1, beta2, epsilon, weight decay. Operands 1 to 5: the gradient; the running maxima of the second
// moments (kAmsgrad); the first moments; the second moments; the variable. All but the gradient are updated.

#include "optimizer/apply_adam.args.h"
#define OPERANDS 6
#define INDEXED_OPERANDS 1
#include "common/strided.glsl"
#include "common/arithmetic.glsl"

ACLVK_STORES(2)
ACLVK_STORES(3)
ACLVK_STORES(4)
ACLVK_LOADS(5)

ACLVK_CONSTANTS(APPLY_ADAM_CONSTANTS)
const bool kDecoupled = (kFlags & 1u) != 0;
const bool kNesterov = (kFlags & 2u) != 0;
const bool kAmsgrad = (kFlags & 4u) != 0;
const bool kMaximize = (kFlags & 8u) != 0;

void main() {
  if (!find_lanes()) return;
  const vec4 powers = uintBitsToFloat(words4_0(lanes.slots[0], 0));
  const vec4 rest = uintBitsToFloat(words4_0(lanes.slots[0], 16));
  const float rate = powers.z;
  const float beta1 = powers.w;
  const float beta2 = rest.x;
  const float root = sqrt(1.0 - powers.y);
  const float decay_factor = kDecoupled ? 1.0 - rate * rest.z : 1.0;
  // AdamW corrects the bias of the second moment before it adds epsilon; Adam folds the correction into the rate.
  const float step = kDecoupled ? rate / (1.0 - powers.x) : rate * root / (1.0 - powers.x);
  const float divisor = kDecoupled ? root : 1.0;
  T g[LANES];
  T max_second[LANES];
  T m[LANES];
  T v[LANES];
  T x[LANES];
  LOAD(1, g);
  if (kAmsgrad) LOAD(2, max_second);
  LOAD(3, m);
  LOAD(4, v);
  LOAD(5, x);
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    const T gradient = kMaximize ? -g[i] : g[i];
    m[i] += (gradient - m[i]) * (1.0 - beta1);
    v[i] += (gradient * gradient - v[i]) * (1.0 - beta2);
    T second = v[i];
    if (kAmsgrad) {
      max_second[i] = maximum(max_second[i], v[i]);
      second = max_second[i];
    }
    const T along = kNesterov ? m[i] * beta1 + (1.0 - beta1) * gradient : m[i];
    x[i] = decay_factor * x[i] - step * along / (sqrt(second) / divisor + rest.y);
  }
  if (kAmsgrad) STORE(2, max_second);
  STORE(3, m);
  STORE(4, v);
  STORE(5, x);
}
