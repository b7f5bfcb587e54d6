#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// A step of Adam, or of AdamW (kDecoupled), whose numbers are in memory: operand 0 has, as floats, the powers of both betas, the
// learning rate, both betas, epsilon and the decay of weights. The others are the gradient, the highest second moments (kHighest tells
// whether there are any), the first and second moments and the variable; all but the gradient change.

#define OPERANDS 6
#define RANDOM_ACCESS 1
#define FAMILY_WORDS 0
#define FAMILY_ARGUMENTS
#include "common/strided.glsl"
#include "common/arithmetic.glsl"

ACLVK_STORES(2)
ACLVK_STORES(3)
ACLVK_STORES(4)
ACLVK_LOADS(5)

layout(constant_id = FIRST_CONSTANT + 1) const uint kFlags = 0;
const bool kDecoupled = (kFlags & 1u) != 0;
const bool kNesterov = (kFlags & 2u) != 0;
const bool kHighest = (kFlags & 4u) != 0;
const bool kMaximize = (kFlags & 8u) != 0;

void main() {
  if (!find_lanes()) return;
  const vec4 powers = uintBitsToFloat(words4_0(lanes.slots[0], 0));
  const vec4 rest = uintBitsToFloat(words4_0(lanes.slots[0], 16));
  const float rate = powers.z;
  const float beta1 = powers.w;
  const float beta2 = rest.x;
  const float root = sqrt(1.0 - powers.y);
  const float kept = kDecoupled ? 1.0 - rate * rest.z : 1.0;
  // What is corrected: the second moment, before epsilon is added, or the rate.
  const float step = kDecoupled ? rate / (1.0 - powers.x) : rate * root / (1.0 - powers.x);
  const float divisor = kDecoupled ? root : 1.0;
  T g[LANES];
  T highest[LANES];
  T m[LANES];
  T v[LANES];
  T x[LANES];
  LOAD(1, g);
  if (kHighest) LOAD(2, highest);
  LOAD(3, m);
  LOAD(4, v);
  LOAD(5, x);
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    const T gradient = kMaximize ? -g[i] : g[i];
    m[i] += (gradient - m[i]) * (1.0 - beta1);
    v[i] += (gradient * gradient - v[i]) * (1.0 - beta2);
    T second = v[i];
    if (kHighest) {
      highest[i] = maximum(highest[i], v[i]);
      second = highest[i];
    }
    const T along = kNesterov ? m[i] * beta1 + (1.0 - beta1) * gradient : m[i];
    x[i] = kept * x[i] - step * along / (sqrt(second) / divisor + rest.y);
  }
  if (kHighest) STORE(2, highest);
  STORE(3, m);
  STORE(4, v);
  STORE(5, x);
}
