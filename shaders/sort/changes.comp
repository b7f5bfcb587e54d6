#version 460
#extension GL_GOOGLE_include_directive : require
// variants: narrow wide
// z = 1 for the first slice (row of a matrix) and for each that differs from its predecessor, else 0 (int32). NaN differs from everything.
// Compares the columns from `first` to `last`; with kContinues an existing 1 in z stays. Operands: the matrix, the order of its slices (uint32;
// unused with kUnordered), and z.

#include "sort/changes.args.h"
#define OPERANDS 3
#define OWN_ARGUMENTS CHANGES_ARGUMENTS
#include "common/kernel.glsl"
#include "common/dtype.glsl"

layout(local_size_x = 64) in;
ACLVK_CONSTANTS(CHANGES_CONSTANTS)
#include "sort/keys.glsl"

#if defined(VARIANT_wide)
bool differ(uvec2 x, uvec2 y) { return x != y || is_floating(kDtype) && x == uvec2(~0u); }
#else
bool differ(uvec2 x, uvec2 y) { return x.x != y.x || is_floating(kDtype) && x.x == ~0u; }
#endif

uint slice_at(uvec2 order, uint position, uint rows) {
  return kUnordered ? position : min(word_1(order, position * 4u), rows - 1u);
}

void main() {
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint columns = ACLVK_ARGUMENT(columns);
  const uint first = ACLVK_ARGUMENT(first);
  const uint last = ACLVK_ARGUMENT(last);
  const uvec2 matrix = slot_of(0);
  const uvec2 order = slot_of(1);
  const uvec2 changes = slot_of(2);
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint position = group * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (position >= rows) return;
  bool changed = position == 0u || kContinues && word_2(changes, position * 4u) != 0u;
  const uint slice = slice_at(order, position, rows);
  const uint before = slice_at(order, max(position, 1u) - 1u, rows);
  for (uint column = first; column < last && !changed; ++column) {  // iterations: slices.cpp splits the columns
    const uvec2 x = key_of(element_of(matrix, before * columns + column), ~0u, 0u);
    const uvec2 y = key_of(element_of(matrix, slice * columns + column), ~0u, 0u);
    changed = differ(x, y);
  }
  set_word_2(changes, position * 4u, uint(changed));
}
