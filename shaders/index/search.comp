#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 i32 i64
// Binary search: z = the number of elements of a sorted row that are less than y (kRight == 0), or at most y. The row starts at the lane's
// start; `order` optionally sorts it. y is a tensor, a scalar in the arguments, or the lane's number.

#include "index/search.args.h"
#define OPERANDS 4
#define INDEXED_OPERANDS 3
#define OWN_ARGUMENTS SEARCH_ARGUMENTS
#include "common/strided.glsl"

ACLVK_CONSTANTS(SEARCH_CONSTANTS)
const uint kOfTensor = 0, kOfArguments = 1, kOfNumber = 2;

T argument_scalar() {
  return value_of(
      uvec4(ACLVK_ARGUMENT(scalar[0]), ACLVK_ARGUMENT(scalar[1]), ACLVK_ARGUMENT(scalar[2]), ACLVK_ARGUMENT(scalar[3])));
}

// NaN sorts after every number.
bool is_before(T x, T y) {
#if INTEGER_CLASS
  return kRight != 0u ? x <= y : x < y;
#else
  const bool less = x < y || (isnan(y) && !isnan(x));
  return kRight != 0u ? less || x == y || (isnan(x) && isnan(y)) : less;
#endif
}

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uint step = ACLVK_ARGUMENT(step);
  const uint order_step = ACLVK_ARGUMENT(order_step);
  const T scalar = argument_scalar();
  if (!find_lanes()) return;
  const uvec2 row = lanes.slots[0];
  const uvec2 order = lanes.slots[1];
  const uvec2 values = lanes.slots[2];
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    T y = kValue == kOfNumber ? T(lane_element(2, i)) : scalar;
    if (kValue == kOfTensor) y = decode(element_2(values, lane_element(2, i), kSize2), kDtype2);
    uint low = 0;
    uint high = count;
    while (low < high) {  // iterations: binary search
      const uint middle = low + (high - low) / 2u;
      uint at = middle;
      if (kOrdered) at = min(element_1(order, lane_element(1, i) + middle * order_step, kSize1).x, count - 1u);
      const T x = decode(element_0(row, lane_element(0, i) + at * step, kSize0), kDtype0);
      if (is_before(x, y)) low = middle + 1u;
      else high = middle;
    }
    raw[i] = uvec4(low, 0u, 0u, 0u);
  }
  STORE_BITS(3);
}
