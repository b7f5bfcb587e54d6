#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// z = x * inv_scale for a gradient x. found_inf becomes 1 when an element of x is infinite or NaN, and is not written otherwise. All writers
// store the same value.

#define OPERANDS 4
#include "common/strided.glsl"
#include "common/arithmetic.glsl"

// The last thread of a ragged row also loads memory past its end, which is no element.
bool is_element(uint lane) {
  const uint at = lanes.starts[0] + (lane < 4 ? lane : quad_distance() + lane - 4);
  return kLaneLayout != kOneRaggedRow || at < lanes.count;
}

void main() {
  if (!find_lanes()) return;
  T x[LANES];
  T inv_scale[LANES];
  LOAD(0, x);
  LOAD(1, inv_scale);
  bool finite = true;
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    finite = finite && !(is_element(i) && (isnan(x[i]) || isinf(x[i])));
    x[i] = mul(x[i], inv_scale[i]);
  }
  if (!finite) set_word_2(lanes.slots[2], 0, floatBitsToUint(1.0));
  STORE(3, x);
}
