#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// z = gate * sigmoid(alpha * gate) * (linear + bias), of a gate that is at most `limit` and a linear part between -limit and
// limit. Both are views of one tensor.

#define OPERANDS 3
#define FAMILY_WORDS 3
#define FAMILY_ARGUMENTS float alpha; float limit; float bias;
#include "common/strided.glsl"
#include "common/arithmetic.glsl"
#include "common/math/exponential.glsl"

void main() {
  const T alpha = ACLVK_ARGUMENT(alpha);
  const T limit = ACLVK_ARGUMENT(limit);
  const T bias = ACLVK_ARGUMENT(bias);
  if (!find_lanes()) return;
  T gate[LANES];
  T linear[LANES];
  LOAD(0, gate);
  LOAD(1, linear);
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    const T x = minimum(gate[i], limit);
    const T y = maximum(minimum(linear[i], limit), -limit);
    gate[i] = x * sigmoid_of(alpha * x) * (y + bias);
  }
  STORE(2, gate);
}
