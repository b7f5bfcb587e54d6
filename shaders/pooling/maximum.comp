#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 i32 i64
// The maximum of each window and, with kIndices, its index in the plane (operand 2): the first of equal elements; NaN
// wins, and the last NaN.

#include "pooling/maximum.args.h"
#define OPERANDS 4
#define INDEXED_OPERANDS 2
#define OWN_ARGUMENTS WINDOWS_ARGUMENTS
#include "pooling/windows.glsl"
#include "common/math/order.glsl"
ACLVK_STORES(2)

ACLVK_CONSTANTS(MAXIMUM_CONSTANTS)

const uint kNothing = ~0u;

T largest[LANES];
uint chosen[4];

#if INTEGER_CLASS
bool is_nan(T x) { return false; }
T lowest() {
  const bool is_unsigned = kPromoted == kUint8 || kPromoted == kUint16;
  return is_unsigned ? T(0) : -(T(1) << (8 * kSize0 - 2)) - (T(1) << (8 * kSize0 - 2));
}
#else
bool is_nan(T x) { return isnan(x); }
T lowest() { return T(uintBitsToFloat(0xFF800000u)); }
#endif

void visit(const uint lane, bool counts, T x, uint index) {
  const bool larger = chosen[lane] == kNothing || less(largest[lane], x) || is_nan(x);
  largest[lane] = counts && larger ? x : largest[lane];
  chosen[lane] = counts && larger ? index : chosen[lane];
}

// The index of a window without elements, which dilation makes possible: its start, clamped to x. Its maximum is the
// lowest value.
uint nearest_index(const uint lane) {
  uint index = 0;
  [[unroll]] for (uint d = 0; d < WINDOW_DIMS; ++d) {
    index = index * uint(windows[d].extent) + uint(clamp(first[d][lane], 0, windows[d].extent - 1));
  }
  return index;
}

void main() {
  read_windows();
  if (!find_lanes()) return;
  find_windows();
  [[unroll]] for (uint i = 0; i < 4; ++i) chosen[i] = kNothing;
  [[unroll]] for (uint i = 0; i < 4; ++i) largest[i] = lowest();
  visit_windows();
  if (kIndices) {
    [[unroll]] for (uint i = 0; i < 4; ++i) {
      raw[i] = uvec4(chosen[i] == kNothing ? nearest_index(i) : chosen[i], 0u, 0u, 0u);
    }
    STORE_BITS(2);
  }
  STORE(3, largest);
}
