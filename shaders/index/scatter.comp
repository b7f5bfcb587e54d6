#version 460
#extension GL_GOOGLE_include_directive : require
// variants: bits f32 f64 i32 i64 c64 c128
// For each lane, and all j in order: combines z[start + index[j] * stride] with x[j]. The order makes results of repeated indices
// deterministic. Lanes never share targets; layers (gl_WorkGroupID.z) divide the targets: each owns every n-th position. Out-of-range
// indices are ignored.

#include "index/scatter.args.h"
#define OPERANDS 3
#define INDEXED_OPERANDS 3
#define OWN_ARGUMENTS SCATTER_ARGUMENTS
#include "common/strided.glsl"
ACLVK_LOADS(2)
ACLVK_CONSTANTS(SCATTER_CONSTANTS)
#include "common/indices.glsl"
#if !defined(VARIANT_bits)
#include "common/arithmetic.glsl"
#endif

const uint kAssign = 0, kAdd = 1, kMultiply = 2, kMaximum = 3, kMinimum = 4, kDivide = 5, kAddScaled = 6,
           kDivideFloor = 7;

T combine(T old, T x, T scale) {
#if defined(VARIANT_bits)
  return x;
#else
  T result = x;
  if (kCombination == kAdd) result = add(old, x);
  if (kCombination == kMultiply) result = mul(old, x);
  if (kCombination == kMaximum) result = maximum(old, x);
  if (kCombination == kMinimum) result = minimum(old, x);
  if (kCombination == kDivide) result = div(old, x);
  if (kCombination == kAddScaled) result = add(old, mul(scale, x));
  if (kCombination == kDivideFloor) result = div_floor(old, x);
  return narrow(result);
#endif
}

T argument_scale() {
  return value_of(
      uvec4(ACLVK_ARGUMENT(scale[0]), ACLVK_ARGUMENT(scale[1]), ACLVK_ARGUMENT(scale[2]), ACLVK_ARGUMENT(scale[3])));
}

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uint size = ACLVK_ARGUMENT(size);
  const uint stride = ACLVK_ARGUMENT(stride);
  const uint index_step = ACLVK_ARGUMENT(index_step);
  const uint source_step = ACLVK_ARGUMENT(source_step);
  const T scale = argument_scale();
  if (!find_lanes()) return;
  const uvec2 indices = lanes.slots[0];
  const uvec2 source = lanes.slots[1];
  const uvec2 target = lanes.slots[2];
  for (uint j = 0; j < count; ++j) {  // iterations: ops/index/indexed_kernels.cpp cuts them
    [[unroll]] for (uint i = 0; i < 4; ++i) {
      if (i >= lanes.count) continue;
      const uvec4 index = element_0(indices, lane_element(0, i) + j * index_step, kSize0);
      const uint position = kIndexed ? resolve_index(index, kDtype0, size) : 0u;
      if (position >= size || position % gl_NumWorkGroups.z != gl_WorkGroupID.z) continue;
      const uint at = lane_element(2, i) + position * stride;
      const T x = decode(element_1(source, lane_element(1, i) + j * source_step, kSize1), kDtype1);
      const T old = decode(element_2(target, at, kSize2), kDtype2);
      set_element_2(target, at, kSize2, encode(combine(old, x, scale), kDtype2));
    }
  }
}
