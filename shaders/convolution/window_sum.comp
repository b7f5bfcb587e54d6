#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// The sum over each window, in float: of elements times weights, which are side by side for a window, where a channel of the result
// comes from one of x; or of columns that a product of matrices has made, where x has one more dim for the places of the window.
// Operands: x, numbers of places, weights, bias, result.

#define OPERANDS 5
#define WHOLE 3
#include "common/windows.glsl"

layout(constant_id = FIRST_WINDOW_CONSTANT) const bool kWeights = false;
layout(constant_id = FIRST_WINDOW_CONSTANT + 1) const bool kSameWeights = false;  // all lanes have that of the first
layout(constant_id = FIRST_WINDOW_CONSTANT + 2) const bool kBias = false;

T sums[LANES];
T weight;

void take(const uint lane, bool counts, T x, uint index, uint tap) {
  if (kWeights && (lane == 0 || !kSameWeights)) {
    const uint last = uint(windows[0].taps * windows[1].taps * windows[2].taps) - 1;
    weight = decode(element_2(lanes.slots[2], lane_element(2, lane) + min(tap, last), kSize2), kDtype2);
  }
  sums[lane] += counts ? (kWeights ? x * weight : x) : T(0);
}

void main() {
  read_windows();
  if (!find_lanes()) return;
  find_windows();
  [[unroll]] for (uint i = 0; i < 4; ++i) sums[i] = T(0);
  take_elements();
  if (kBias) {
    T bias[LANES];
    LOAD(3, bias);
    [[unroll]] for (uint i = 0; i < 4; ++i) sums[i] += bias[i];
  }
  STORE(4, sums);
}
