#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// A convolution whose channels do not meet: the sum of each window times the weights of its channel, in float. Operands: images,
// weights, which are side by side for a channel of the result, bias, and the result with any strides.

#define OPERANDS 4
#define OWN_ARGUMENTS uint results; uint bias_step; uint out_steps[6];
#include "convolution/rows.glsl"

layout(constant_id = FIRST_OWN_CONSTANT) const uint kBias = 0;
layout(constant_id = FIRST_OWN_CONSTANT + 1) const uint kDtype0 = 0;
layout(constant_id = FIRST_OWN_CONSTANT + 2) const uint kDtype1 = 0;
layout(constant_id = FIRST_OWN_CONSTANT + 3) const uint kDtype2 = 0;
layout(constant_id = FIRST_OWN_CONSTANT + 4) const uint kDtype3 = 0;
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
        // Not times 0: what lies beyond the window may be infinite.
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
  const uint results = ACLVK_ARGUMENT(results);
  const uint bias_step = ACLVK_ARGUMENT(bias_step);
  uint out_steps[6];
  [[unroll]] for (uint i = 0; i < 6; ++i) out_steps[i] = ACLVK_ARGUMENT(out_steps[i]);
  const uvec2 weight_slot = slot_of(1);
  const uvec2 bias_slot = slot_of(2);
  const uvec2 out_slot = slot_of(3);
  if (rest >= threads) return;
  take_places(rest);
  const uint result = take_innermost(rest, results);
  const uint own_channel = take_innermost(rest, channels);
  channel = own_channel * channel_step + rest * image_step;
  const uint number = own_channel * results + result;

  [[unroll]] for (uint j = 0; j < 8; ++j) sums[j] = T(0);
  for (uint outer = 0; outer < taps[0]; ++outer) {  // iterations: as above
    for (uint inner = 0; inner < taps[1]; ++inner) {  // iterations: as above
      find_row(outer, inner);
      add_row(weight_slot, ((number * taps[0] + outer) * taps[1] + inner) * taps[2]);
    }
  }
  if (kBias != 0) {
    const T bias = decode(element_2(bias_slot, number * bias_step, size_of(kDtype2)), kDtype2);
    [[unroll]] for (uint j = 0; j < 8; ++j) sums[j] += bias;
  }
  [[unroll]] for (uint j = 0; j < 8; ++j) raw[j] = encode(sums[j], kDtype3);
  const uint to = rest * out_steps[0] + own_channel * out_steps[1] + result * out_steps[2] + place[0] * out_steps[3] +
                  place[1] * out_steps[4] + place[2] * out_steps[5];
  if (kWholeRows != 0) {
    set_vec8_3(out_slot, to, size_of(kDtype3));
  } else {
    [[unroll]] for (uint j = 0; j < 8; ++j) {
      if (place[2] + j < places[2]) set_element_3(out_slot, to + j * out_steps[5], size_of(kDtype3), raw[j]);
    }
  }
}
