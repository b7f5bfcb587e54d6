// Shared by kernels whose threads take eight neighbouring output positions along the last dim. These see mostly the same elements of a
// row of the image, also for neighbouring taps. src/ops/convolution/rows.cpp is the host's half. A shader defines before it includes this:
//
//     OPERANDS        their number; operand 0 is the images
//     OWN_ARGUMENTS   WINDOW_ROWS_ARGUMENTS, and its own ones after them
//
// Its own specialization constants start at FIRST_CONSTANT.

#extension GL_EXT_control_flow_attributes : enable

#include "convolution/rows.args.h"
#include "common/kernel.glsl"

ACLVK_CONSTANTS(WINDOW_ROWS_CONSTANTS)
#undef FIRST_CONSTANT
#define FIRST_CONSTANT ACLVK_CONSTANT_COUNT(WINDOW_ROWS_CONSTANTS)

// The elements of a row of the image that eight positions see at kTaps taps.
const uint kSpan = kShared != 0 ? 7 * kStep + (kTaps - 1) * kDilation + 1 : 1;

uint threads;
uint vec8s;
uint out_sizes[3];
uint blocks;
uint taps[3];
uint channels;
uint image_step;
uint channel_step;
uint steps[2];
int pads_before[3];
uint dilations[2];
uint extents[3];
uint strides[3];
uvec2 image_slot;

// Reads all arguments and returns the thread's number. Threads past the last one do nothing.
uint read_arguments() {
  threads = ACLVK_ARGUMENT(threads);
  vec8s = ACLVK_ARGUMENT(vec8s);
  blocks = ACLVK_ARGUMENT(blocks);
  channels = ACLVK_ARGUMENT(channels);
  image_step = ACLVK_ARGUMENT(image_step);
  channel_step = ACLVK_ARGUMENT(channel_step);
  [[unroll]] for (uint d = 0; d < 3; ++d) {
    out_sizes[d] = ACLVK_ARGUMENT(out_sizes[d]);
    taps[d] = ACLVK_ARGUMENT(taps[d]);
    pads_before[d] = ACLVK_ARGUMENT(pads_before[d]);
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

// Splits the index of the innermost dim off a linear index.
uint take_innermost(inout uint number, uint size) {
  const uint outer = number / size;
  const uint index = number - outer * size;
  number = outer;
  return index;
}

uint position[3];  // output position of the thread; along the last dim that of its first element
uint channel;   // offset of the input channel
uint row;       // offset of the row of the image
bool inside;    // true if the row is within the image

void take_position(inout uint number) {
  position[2] = take_innermost(number, vec8s) * 8;
  position[1] = take_innermost(number, out_sizes[1]);
  position[0] = take_innermost(number, out_sizes[0]);
}

// Finds the row of the image for a tap of the first two dims.
void find_row(uint outer_tap, uint inner_tap) {
  row = channel;
  inside = true;
  const uint tap[2] = uint[2](outer_tap, inner_tap);
  [[unroll]] for (uint d = 0; d < 2; ++d) {
    const int at = int(position[d] * steps[d] + tap[d] * dilations[d]) - pads_before[d];
    inside = inside && uint(at) < extents[d];
    row += uint(at) * strides[d];
  }
}

// Returns the index in the row that the first position sees at a tap.
int first_of(uint tap) { return int(position[2] * kStep + tap * kDilation) - pads_before[2]; }

bool exists(int at) { return inside && uint(at) < extents[2]; }
// Returns the offset of an element of the row, or any valid offset in the padding.
uint element_of(int at) { return exists(at) ? row + uint(at) * strides[2] : channel; }
