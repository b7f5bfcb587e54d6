#version 460
#extension GL_GOOGLE_include_directive : require
// variants: narrow wide
// One step of a stable merge sort of slices (rows of a matrix): merges pairs of sorted runs of `width` slices. Slices are compared
// lexicographically by the columns from `first` to `last`. A thread finds by binary search how many slices of the other run come before its
// own. Operands: the matrix, the previous order (uint32; the identity with kFirst), and the new order.

#include "sort/slices.args.h"
#define OPERANDS 3
#define OWN_ARGUMENTS SLICES_ARGUMENTS
#include "common/kernel.glsl"
#include "common/dtype.glsl"

layout(local_size_x = 64) in;
ACLVK_CONSTANTS(SLICES_CONSTANTS)
#include "sort/keys.glsl"

#if defined(VARIANT_wide)
bool is_less(uvec2 x, uvec2 y) { return x.y == y.y ? x.x < y.x : x.y < y.y; }
bool differ(uvec2 x, uvec2 y) { return x != y; }
#else
bool is_less(uvec2 x, uvec2 y) { return x.x < y.x; }
bool differ(uvec2 x, uvec2 y) { return x.x != y.x; }
#endif

// The program may have overwritten the order in the workspace; clamping keeps reads inside of the matrix.
uint slice_at(uvec2 order, uint position, uint rows) { return kFirst ? position : min(word_1(order, position * 4u), rows - 1u); }

void main() {
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint columns = ACLVK_ARGUMENT(columns);
  const uint first = ACLVK_ARGUMENT(first);
  const uint last = ACLVK_ARGUMENT(last);
  const uint width = ACLVK_ARGUMENT(width);
  const uvec2 matrix = slot_of(0);
  const uvec2 order = slot_of(1);
  const uvec2 merged = slot_of(2);
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint position = group * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (position >= rows) return;
  const uint slice = slice_at(order, position, rows);
  const uint start = position / (2u * width) * (2u * width);  // of the pair of runs
  const uint middle = min(width, rows - start);
  const bool in_first = position - start < middle;
  const uint other = in_first ? start + middle : start;
  const uint other_size = in_first ? min(width, rows - start - middle) : middle;
  uint low = 0;
  uint high = other_size;
  while (low < high) {  // iterations: binary search; slices.cpp counts it
    const uint half_way = low + (high - low) / 2u;
    const uint rival = slice_at(order, other + half_way, rows);
    bool goes_first = !in_first;  // of equal slices the one of the first run
    for (uint column = first; column < last; ++column) {  // iterations: slices.cpp splits the columns
      const uvec2 x = key_of(element_of(matrix, rival * columns + column), ~0u, 0u);
      const uvec2 y = key_of(element_of(matrix, slice * columns + column), ~0u, 0u);
      if (differ(x, y)) {
        goes_first = is_less(x, y);
        break;
      }
    }
    if (goes_first) low = half_way + 1u;
    else high = half_way;
  }
  const uint own = in_first ? position - start : position - start - middle;
  set_word_2(merged, (start + own + low) * 4u, slice);
}
