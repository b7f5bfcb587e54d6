#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// The mean of each window, summed up in float.

#include "pooling/windows.glsl"
#include "common/arithmetic.glsl"

T sums[LANES];

void take(const uint lane, T x, uint index) { sums[lane] += x; }

// How many elements the window has along a dim.
int count_of(const uint d, const uint lane) {
  const int begin = first[d][lane];
  if (kAdaptive) return last[d][lane] - begin;
  const int end = begin + windows[d].size;
  return kCountsPadding ? min(end, windows[d].limit) - begin : min(end, windows[d].extent) - max(begin, 0);
}

void main() {
  const int divisor = ACLVK_ARGUMENT(divisor);
  read_windows();
  if (!find_lanes()) return;
  find_windows();
  [[unroll]] for (uint i = 0; i < 4; ++i) sums[i] = T(0);
  take_elements();
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    const float count = float(count_of(0, i)) * float(count_of(1, i)) * float(count_of(2, i));
    sums[i] = div(sums[i], divisor != 0 ? float(divisor) : count);
  }
  STORE(3, sums);
}
