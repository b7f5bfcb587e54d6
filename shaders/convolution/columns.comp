#version 460
#extension GL_GOOGLE_include_directive : require
// variants: bits
// The columns of a convolution: for each channel and each place of the window a row with an element for each place that the window
// has. Beyond the image is 0. A thread makes eight neighbours of a row for some neighbouring places of the window: they see nearly the
// same elements, which it loads once. src/ops/convolution/columns.cpp is its other half.

#extension GL_EXT_control_flow_attributes : enable

#define OPERANDS 2
#define ARGUMENTS                                                                                                 \
  uint threads; uint eights; uint places[3]; uint blocks; uint taps[3]; uint channels; uint image_step;           \
  uint channel_step; uint steps[2]; int befores[3]; uint dilations[2]; uint extents[3]; uint strides[3];
#include "common/kernel.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kSize = 4;        // bytes of an element
layout(constant_id = 2) const uint kTaps = 1;        // neighbouring places of the window, a block
layout(constant_id = 3) const uint kStep = 1;        // along the last dim
layout(constant_id = 4) const uint kDilation = 1;    // the same
layout(constant_id = 5) const uint kShared = 0;      // the places of a block see elements of each other
layout(constant_id = 6) const uint kWholeTaps = 0;   // blocks make up the window
layout(constant_id = 7) const uint kWholeRows = 0;   // eights make up a row, and are one access

#include "common/elements.glsl"
ELEMENT_INPUT(0)
ELEMENT_OUTPUT(1)

const uint kSpan = kShared != 0 ? 7 * kStep + (kTaps - 1) * kDilation + 1 : 1;

// The innermost of the dims that a number counts; the others are left.
uint take_innermost(inout uint number, uint size) {
  const uint outer = number / size;
  const uint index = number - outer * size;
  number = outer;
  return index;
}

uvec2 image_slot;
uint channel;  // where it begins
uint row;      // and the row of the image
bool inside;   // whether there is such a row
int extent;
uint stride;

uint load(int place) {
  const bool exists = inside && uint(place) < uint(extent);
  const uint bits = element_0(image_slot, exists ? row + uint(place) * stride : channel, kSize).x;
  return exists ? bits : 0u;
}

void store(uvec2 slot, uint to, uint left) {
  if (kWholeRows != 0) {
    set_eight_1(slot, to, kSize);
  } else {
    [[unroll]] for (uint j = 0; j < 8; ++j) {
      if (j < left) set_element_1(slot, to + j, kSize, raw[j]);
    }
  }
}

void main() {
  const uint threads = ACLVK_ARGUMENT(threads);
  const uint eights = ACLVK_ARGUMENT(eights);
  const uint blocks = ACLVK_ARGUMENT(blocks);
  const uint channels = ACLVK_ARGUMENT(channels);
  const uint image_step = ACLVK_ARGUMENT(image_step);
  const uint channel_step = ACLVK_ARGUMENT(channel_step);
  uint places[3];
  uint taps[3];
  int befores[3];
  uint strides[3];
  uint extents[3];
  [[unroll]] for (uint d = 0; d < 3; ++d) {
    places[d] = ACLVK_ARGUMENT(places[d]);
    taps[d] = ACLVK_ARGUMENT(taps[d]);
    befores[d] = ACLVK_ARGUMENT(befores[d]);
    strides[d] = ACLVK_ARGUMENT(strides[d]);
    extents[d] = ACLVK_ARGUMENT(extents[d]);
  }
  uint steps[2];
  uint dilations[2];
  [[unroll]] for (uint d = 0; d < 2; ++d) {
    steps[d] = ACLVK_ARGUMENT(steps[d]);
    dilations[d] = ACLVK_ARGUMENT(dilations[d]);
  }
  image_slot = slot_of(0);
  const uvec2 column_slot = slot_of(1);
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint thread = group * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (thread >= threads) return;

  uint rest = thread;
  const uint eight = take_innermost(rest, eights) * 8;
  uint place[2];
  place[1] = take_innermost(rest, places[1]);
  place[0] = take_innermost(rest, places[0]);
  const uint first_tap = take_innermost(rest, blocks) * kTaps;
  const uint plane = places[0] * places[1] * places[2];
  uint to = (rest * taps[2] + first_tap) * plane + (place[0] * places[1] + place[1]) * places[2] + eight;
  uint tap[2];
  tap[1] = take_innermost(rest, taps[1]);
  tap[0] = take_innermost(rest, taps[0]);
  channel = take_innermost(rest, channels) * channel_step;
  channel += rest * image_step;

  row = channel;
  inside = true;
  [[unroll]] for (uint d = 0; d < 2; ++d) {
    const int at = int(place[d] * steps[d] + tap[d] * dilations[d]) - befores[d];
    inside = inside && uint(at) < extents[d];
    row += uint(at) * strides[d];
  }
  extent = int(extents[2]);
  stride = strides[2];
  const int first = int(eight * kStep + first_tap * kDilation) - befores[2];
  const uint left = places[2] - eight;

  if (kShared != 0) {
    uint values[kSpan];
    [[unroll]] for (uint i = 0; i < kSpan; ++i) values[i] = load(first + int(i));
    [[unroll]] for (uint t = 0; t < kTaps; ++t) {
      [[unroll]] for (uint j = 0; j < 8; ++j) raw[j] = uvec4(values[j * kStep + t * kDilation], 0u, 0u, 0u);
      if (kWholeTaps != 0 || first_tap + t < taps[2]) store(column_slot, to + t * plane, left);
    }
  } else {
    for (uint t = 0; t < kTaps && first_tap + t < taps[2]; ++t) {
      [[unroll]] for (uint j = 0; j < 8; ++j) {
        raw[j] = uvec4(load(first + int(j * kStep + t * kDilation)), 0u, 0u, 0u);
      }
      store(column_slot, to + t * plane, left);
    }
  }
}
