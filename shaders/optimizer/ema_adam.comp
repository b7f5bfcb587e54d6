#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// A step of Adam and of an exponential moving average of the variable. Operands: the coefficients of
// adam_coefficients.comp (with kCorrects); the gradient; the first moments; the second moments; the average; the
// variable; the last four are updated. `l2_decay` is weight decay that is added to the gradient, `decay_factor` = 1 -
// rate * decay the decoupled one.

#include "optimizer/ema_adam.args.h"
#define OPERANDS 6
#define OWN_ARGUMENTS EMA_ADAM_ARGUMENTS
#include "common/strided.glsl"

ACLVK_STORES(2)
ACLVK_STORES(3)
ACLVK_STORES(4)
ACLVK_LOADS(5)

ACLVK_CONSTANTS(EMA_ADAM_CONSTANTS)

void main() {
  const float plain_rate = ACLVK_ARGUMENT(rate);
  const float l2_decay = ACLVK_ARGUMENT(l2_decay);
  const float decay_factor = ACLVK_ARGUMENT(decay_factor);
  const float beta1 = ACLVK_ARGUMENT(beta1);
  const float one_minus_beta1 = ACLVK_ARGUMENT(one_minus_beta1);
  const float beta2 = ACLVK_ARGUMENT(beta2);
  const float one_minus_beta2 = ACLVK_ARGUMENT(one_minus_beta2);
  const float epsilon = ACLVK_ARGUMENT(epsilon);
  const float ema = ACLVK_ARGUMENT(ema);
  const float one_minus_ema = ACLVK_ARGUMENT(one_minus_ema);
  if (!find_lanes()) return;
  const vec4 coefficients = kCorrects ? uintBitsToFloat(words4_0(lanes.slots[0], 0)) : vec4(plain_rate, 1.0, 1.0, 0.0);
  T g[LANES];
  T m[LANES];
  T v[LANES];
  T s[LANES];
  T x[LANES];
  LOAD(1, g);
  LOAD(2, m);
  LOAD(3, v);
  LOAD(4, s);
  LOAD(5, x);
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    const T gradient = g[i] + l2_decay * x[i];
    m[i] = beta1 * m[i] + one_minus_beta1 * gradient;
    v[i] = beta2 * v[i] + one_minus_beta2 * gradient * gradient;
    x[i] = decay_factor * x[i] - coefficients.x * m[i] / (sqrt(v[i]) / coefficients.y + epsilon);
    s[i] = ema * s[i] + one_minus_ema * x[i];
  }
  STORE(2, m);
  STORE(3, v);
  STORE(4, s);
  STORE(5, x);
}
