#version 460
#extension GL_GOOGLE_include_directive : require
// variants: bits
// im2col: for each channel and tap a row with an element for each output position, 0 in the padding. src/ops/convolution/im2col.cpp is
// the host's half.

#include "convolution/im2col.args.h"
#define OPERANDS 2
#define OWN_ARGUMENTS WINDOW_ROWS_ARGUMENTS
#include "convolution/rows.glsl"

ACLVK_CONSTANTS(IM2COL_CONSTANTS)

#include "common/elements.glsl"
ELEMENT_INPUT(0)
ELEMENT_OUTPUT(1)

uint load(int at) {
  const uint bits = element_0(image_slot, element_of(at), kSize).x;
  return exists(at) ? bits : 0u;
}

void store(uvec2 slot, uint to) {
  if (kWholeRows != 0) {
    set_vec8_1(slot, to, kSize);
  } else {
    [[unroll]] for (uint j = 0; j < 8; ++j) {
      if (position[2] + j < out_sizes[2]) set_element_1(slot, to + j, kSize, raw[j]);
    }
  }
}

void main() {
  uint rest = read_arguments();
  const uvec2 slot = slot_of(1);
  if (rest >= threads) return;
  take_position(rest);
  const uint first_tap = take_innermost(rest, blocks) * kTaps;
  const uint plane = out_sizes[0] * out_sizes[1] * out_sizes[2];
  const uint to = (rest * taps[2] + first_tap) * plane + (position[0] * out_sizes[1] + position[1]) * out_sizes[2] + position[2];
  const uint inner_tap = take_innermost(rest, taps[1]);
  const uint outer_tap = take_innermost(rest, taps[0]);
  channel = take_innermost(rest, channels) * channel_step;
  channel += rest * image_step;
  find_row(outer_tap, inner_tap);
  const int first = first_of(first_tap);
  if (kShared != 0) {
    uint values[kSpan];
    [[unroll]] for (uint i = 0; i < kSpan; ++i) values[i] = load(first + int(i));
    [[unroll]] for (uint t = 0; t < kTaps; ++t) {
      [[unroll]] for (uint j = 0; j < 8; ++j) raw[j] = uvec4(values[j * kStep + t * kDilation], 0u, 0u, 0u);
      if (kWholeTaps != 0 || first_tap + t < taps[2]) store(slot, to + t * plane);
    }
  } else {
    for (uint t = 0; t < kTaps && first_tap + t < taps[2]; ++t) {
      [[unroll]] for (uint j = 0; j < 8; ++j) {
        raw[j] = uvec4(load(first + int(j * kStep + t * kDilation)), 0u, 0u, 0u);
      }
      store(slot, to + t * plane);
    }
  }
}
