#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// Direct depthwise convolution in float: each channel has its own weights and one or more output channels. Operands: images, weights,
// row-major, bias, and the result with any strides.

#include "convolution/depthwise.args.h"
#define OPERANDS 4
#define OWN_ARGUMENTS(ARGUMENT, ARRAY) WINDOW_ROWS_ARGUMENTS(ARGUMENT, ARRAY) DEPTHWISE_ARGUMENTS(ARGUMENT, ARRAY)
#include "convolution/rows.glsl"

ACLVK_CONSTANTS(DEPTHWISE_CONSTANTS)
const uint kPromoted = 0;  // FLOAT

#include "common/compute.glsl"
#include "common/elements.glsl"
ELEMENT_INPUT(0)
ELEMENT_INPUT(1)
ELEMENT_INPUT(2)
ELEMENT_OUTPUT(3)


T load(int at) {
  const T value = decode(element_0(image_slot, element_of(at), size_of(kDtype0)), kDtype0);
  return exists(at) ? value : T(0);
}

T sums[8];

void add_row(uvec2 slot, uint weights) {
  for (uint block = 0; block < blocks; ++block) {  // iterations: ops/convolution/depthwise.cpp counts them
    const int first = first_of(block * kTaps);
    if (kShared != 0) {
      T values[kSpan];
      [[unroll]] for (uint i = 0; i < kSpan; ++i) values[i] = load(first + int(i));
      [[unroll]] for (uint t = 0; t < kTaps; ++t) {
        const uint tap = block * kTaps + t;
        const bool counts = kWholeTaps != 0 || tap < taps[2];
        const T read = decode(element_1(slot, weights + min(tap, taps[2] - 1), size_of(kDtype1)), kDtype1);
        // Skipped, not multiplied by 0: elements past the window may be infinite.
        [[unroll]] for (uint j = 0; j < 8; ++j) {
          if (counts) sums[j] += values[j * kStep + t * kDilation] * read;
        }
      }
    } else {
      for (uint t = 0; t < kTaps && block * kTaps + t < taps[2]; ++t) {
        const T weight = decode(element_1(slot, weights + block * kTaps + t, size_of(kDtype1)), kDtype1);
        [[unroll]] for (uint j = 0; j < 8; ++j) sums[j] += load(first + int(j * kStep + t * kDilation)) * weight;
      }
    }
  }
}

void main() {
  uint rest = read_arguments();
  const uint out_channels = ACLVK_ARGUMENT(out_channels);
  const uint bias_stride = ACLVK_ARGUMENT(bias_stride);
  uint out_strides[6];
  [[unroll]] for (uint i = 0; i < 6; ++i) out_strides[i] = ACLVK_ARGUMENT(out_strides[i]);
  const uvec2 weight_slot = slot_of(1);
  const uvec2 bias_slot = slot_of(2);
  const uvec2 out_slot = slot_of(3);
  if (rest >= threads) return;
  take_position(rest);
  const uint out_channel = take_innermost(rest, out_channels);
  const uint own_channel = take_innermost(rest, channels);
  channel = own_channel * channel_step + rest * image_step;
  const uint number = own_channel * out_channels + out_channel;

  [[unroll]] for (uint j = 0; j < 8; ++j) sums[j] = T(0);
  for (uint outer = 0; outer < taps[0]; ++outer) {  // iterations: as above
    for (uint inner = 0; inner < taps[1]; ++inner) {  // iterations: as above
      find_row(outer, inner);
      add_row(weight_slot, ((number * taps[0] + outer) * taps[1] + inner) * taps[2]);
    }
  }
  if (kBias != 0) {
    const T bias = decode(element_2(bias_slot, number * bias_stride, size_of(kDtype2)), kDtype2);
    [[unroll]] for (uint j = 0; j < 8; ++j) sums[j] += bias;
  }
  [[unroll]] for (uint j = 0; j < 8; ++j) raw[j] = encode(sums[j], kDtype3);
  const uint to = rest * out_strides[0] + own_channel * out_strides[1] + out_channel * out_strides[2] + position[0] * out_strides[3] +
                  position[1] * out_strides[4] + position[2] * out_strides[5];
  if (kWholeRows != 0) {
    set_vec8_3(out_slot, to, size_of(kDtype3));
  } else {
    [[unroll]] for (uint j = 0; j < 8; ++j) {
      if (position[2] + j < out_sizes[2]) set_element_3(out_slot, to + j * out_strides[5], size_of(kDtype3), raw[j]);
    }
  }
}
