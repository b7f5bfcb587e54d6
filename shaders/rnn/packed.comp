#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// Moves rows between packed sequences and (steps, batch). Operands: the packed row of each row, ~0 where a sequence has
// ended; packed rows, floats of any dtype and strides; all rows, contiguous floats. kMove: 0 unpacks, with zeros after
// the end of a sequence; 1 packs; 2 overwrites rows after the end of a sequence by its row among the `batch` rows of
// operand 1. One thread an element.

#include "rnn/packed.args.h"
#define OPERANDS 3
#define OWN_ARGUMENTS PACKED_ARGUMENTS
#include "common/kernel.glsl"

layout(local_size_x = 64) in;
ACLVK_CONSTANTS(PACKED_CONSTANTS)
const uint kPromoted = 0;  // float

#extension GL_EXT_control_flow_attributes : enable
#include "common/compute.glsl"
#include "common/elements.glsl"
ELEMENT_INPUT(1)
ELEMENT_OUTPUT(1)

void main() {
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint columns = ACLVK_ARGUMENT(columns);
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint place = group * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  const uint row = place / columns;
  if (row >= rows) return;
  const uint column = place - row * columns;
  const uint packed_row = word_0(slot_of(0), 4u * row);
  const bool ended = packed_row == ~0u;
  const uint other = kMove == 2u ? row % ACLVK_ARGUMENT(batch) : ended ? 0u : packed_row;
  const uint at = other * ACLVK_ARGUMENT(row_step) + column * ACLVK_ARGUMENT(column_step);
  const uint size = size_of(kDtype1);
  if (kMove == 1u) {
    const T value = uintBitsToFloat(word_2(slot_of(2), 4u * place));
    if (!ended) set_element_1(slot_of(1), at, size, encode(value, kDtype1));
  } else if (kMove == 0u || ended) {
    const bool reads = kMove == 2u || !ended;
    const T value = reads ? decode(element_1(slot_of(1), at, size), kDtype1) : T(0);
    set_word_2(slot_of(2), 4u * place, floatBitsToUint(value));
  }
}
