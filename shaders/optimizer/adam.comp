#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// A step of AdamW. Operands: the coefficients of adam_coefficients.comp; the gradient; the running maxima of the second
// moments (kAmsgrad); the first moments; the second moments; the variable. All but the first two are updated.

#include "optimizer/adam.args.h"
#define OPERANDS 6
#define OWN_ARGUMENTS ADAM_ARGUMENTS
#include "common/strided.glsl"
#include "common/arithmetic.glsl"

ACLVK_STORES(2)
ACLVK_STORES(3)
ACLVK_STORES(4)
ACLVK_LOADS(5)

ACLVK_CONSTANTS(ADAM_CONSTANTS)

void main() {
  const float decay_factor = ACLVK_ARGUMENT(decay_factor);
  const float beta1 = ACLVK_ARGUMENT(beta1);
  const float one_minus_beta1 = ACLVK_ARGUMENT(one_minus_beta1);
  const float beta2 = ACLVK_ARGUMENT(beta2);
  const float one_minus_beta2 = ACLVK_ARGUMENT(one_minus_beta2);
  const float epsilon = ACLVK_ARGUMENT(epsilon);
  if (!find_lanes()) return;
  const vec4 coefficients = uintBitsToFloat(words4_0(lanes.slots[0], 0));
  if (coefficients.w != 0.0) return;
  T g[LANES];
  T max_second[LANES];
  T m[LANES];
  T v[LANES];
  T x[LANES];
  LOAD(1, g);
  if (kAmsgrad != 0) LOAD(2, max_second);
  LOAD(3, m);
  LOAD(4, v);
  LOAD(5, x);
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    const T gradient = (kMaximize != 0 ? -g[i] : g[i]) / coefficients.z;
    m[i] = beta1 * m[i] + one_minus_beta1 * gradient;
    v[i] = beta2 * v[i] + one_minus_beta2 * gradient * gradient;
    T second = v[i];
    if (kAmsgrad != 0) {
      max_second[i] = maximum(max_second[i], v[i]);
      second = max_second[i];
    }
    x[i] = decay_factor * x[i] - coefficients.x * m[i] / (sqrt(second) / coefficients.y + epsilon);
  }
  if (kAmsgrad != 0) STORE(2, max_second);
  STORE(3, m);
  STORE(4, v);
  STORE(5, x);
}
