#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// The mean of each window, summed in float.

#include "pooling/mean.args.h"
#define OPERANDS 3
#define INDEXED_OPERANDS 2
#define OWN_ARGUMENTS(ARGUMENT, ARRAY) WINDOWS_ARGUMENTS(ARGUMENT, ARRAY) MEAN_ARGUMENTS(ARGUMENT, ARRAY)
#include "pooling/windows.glsl"
#include "common/arithmetic.glsl"

ACLVK_CONSTANTS(MEAN_CONSTANTS)

T sums[LANES];

void visit(const uint lane, bool counts, T x, uint index) { sums[lane] += counts ? x : T(0); }

// The number of elements that the divisor counts along a dim.
int count_of(const uint d, const uint lane, int after) {
  const int start = first[d][lane];
  if (kPlacement == kAdaptive) return last[d][lane] - start;
  const int end = min(start + windows[d].size, windows[d].extent + (kCountsPadding ? after : 0));
  return end - (kCountsPadding ? start : max(start, 0));
}

void main() {
  const int divisor = ACLVK_ARGUMENT(divisor);
  int after[3];
  [[unroll]] for (uint d = 0; d < 3; ++d) after[d] = ACLVK_ARGUMENT(padding_after[d]);
  read_windows();
  if (!find_lanes()) return;
  find_windows();
  [[unroll]] for (uint i = 0; i < 4; ++i) sums[i] = T(0);
  visit_windows();
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    float count = 1;
    [[unroll]] for (uint d = 0; d < 3; ++d) count *= float(count_of(d, i, after[d]));
    sums[i] = div(sums[i], divisor != 0 ? float(divisor) : count);
  }
  STORE(2, sums);
}
