// What kernels share whose threads take eight neighbouring places of a window along the last dim: they see nearly the same elements of
// a row of the image, for some neighbouring places of the window, too. src/ops/convolution/rows.cpp is its other half. A shader
// defines, before it includes this:
//
//     OPERANDS             how many; operand 0 is the images
//     OWN_ARGUMENTS        its own arguments
//     FIRST_OWN_CONSTANT   is where its own specialization constants start

#extension GL_EXT_control_flow_attributes : enable

#define ARGUMENTS                                                                                              \
  uint threads; uint vec8s; uint places[3]; uint blocks; uint taps[3]; uint channels; uint image_step;        \
  uint channel_step; uint steps[2]; int befores[3]; uint dilations[2]; uint extents[3]; uint strides[3];       \
  OWN_ARGUMENTS
#include "common/kernel.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kTaps = 1;        // neighbouring places of the window: a block
layout(constant_id = 2) const uint kStep = 1;        // along the last dim
layout(constant_id = 3) const uint kDilation = 1;    // the same
layout(constant_id = 4) const uint kShared = 0;      // the places of a block see elements of each other
layout(constant_id = 5) const uint kWholeTaps = 0;   // blocks make up the window
layout(constant_id = 6) const uint kWholeRows = 0;   // eights make up a row, and are one access
#define FIRST_OWN_CONSTANT 7

const uint kSpan = kShared != 0 ? 7 * kStep + (kTaps - 1) * kDilation + 1 : 1;

uint threads;
uint vec8s;
uint places[3];
uint blocks;
uint taps[3];
uint channels;
uint image_step;
uint channel_step;
uint steps[2];
int befores[3];
uint dilations[2];
uint extents[3];
uint strides[3];
uvec2 image_slot;

// Returns the thread's number; threads of a number that is too high do nothing.
uint read_arguments() {
  threads = ACLVK_ARGUMENT(threads);
  vec8s = ACLVK_ARGUMENT(vec8s);
  blocks = ACLVK_ARGUMENT(blocks);
  channels = ACLVK_ARGUMENT(channels);
  image_step = ACLVK_ARGUMENT(image_step);
  channel_step = ACLVK_ARGUMENT(channel_step);
  [[unroll]] for (uint d = 0; d < 3; ++d) {
    places[d] = ACLVK_ARGUMENT(places[d]);
    taps[d] = ACLVK_ARGUMENT(taps[d]);
    befores[d] = ACLVK_ARGUMENT(befores[d]);
    strides[d] = ACLVK_ARGUMENT(strides[d]);
    extents[d] = ACLVK_ARGUMENT(extents[d]);
  }
  [[unroll]] for (uint d = 0; d < 2; ++d) {
    steps[d] = ACLVK_ARGUMENT(steps[d]);
    dilations[d] = ACLVK_ARGUMENT(dilations[d]);
  }
  image_slot = slot_of(0);
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  return group * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
}

// The innermost of the dims that a number counts; the others are left.
uint take_innermost(inout uint number, uint size) {
  const uint outer = number / size;
  const uint index = number - outer * size;
  number = outer;
  return index;
}

uint place[3];  // of the thread; the last is that of its first element
uint channel;   // where the channel begins that it reads
uint row;       // and the row of the image
bool inside;    // whether there is such a row

void take_places(inout uint number) {
  place[2] = take_innermost(number, vec8s) * 8;
  place[1] = take_innermost(number, places[1]);
  place[0] = take_innermost(number, places[0]);
}

// The row that the window sees at its places along the first two dims.
void find_row(uint outer_tap, uint inner_tap) {
  row = channel;
  inside = true;
  const uint tap[2] = uint[2](outer_tap, inner_tap);
  [[unroll]] for (uint d = 0; d < 2; ++d) {
    const int at = int(place[d] * steps[d] + tap[d] * dilations[d]) - befores[d];
    inside = inside && uint(at) < extents[d];
    row += uint(at) * strides[d];
  }
}

// What the first element sees at a place of the window.
int first_of(uint tap) { return int(place[2] * kStep + tap * kDilation) - befores[2]; }

bool exists(int at) { return inside && uint(at) < extents[2]; }
// Where an element of the row is; some element where there is none.
uint element_of(int at) { return exists(at) ? row + uint(at) * strides[2] : channel; }
