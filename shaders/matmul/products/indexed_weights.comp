#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : enable
// variants: f32
// The products of LoRA: out[b, n] = sum over k of x[b, k] * weights[indices[b], n, k], 0 for an index out of range. One thread computes
// one element; operands are contiguous.

#include "matmul/products/indexed_weights.args.h"
#define OPERANDS 4
#define OWN_ARGUMENTS INDEXED_WEIGHTS_ARGUMENTS
#include "common/kernel.glsl"
#include "common/bounded_loop.glsl"

ACLVK_CONSTANTS(INDEXED_WEIGHTS_CONSTANTS)

#include "common/compute.glsl"
#include "common/elements.glsl"

ELEMENT_INPUT(0)
ELEMENT_INPUT(1)

layout(local_size_x = 64) in;

void main() {
  const uint rows = ACLVK_ARGUMENT(rows);
  const uint columns = ACLVK_ARGUMENT(columns);
  const uint inner_size = ACLVK_ARGUMENT(inner_size);
  const uint matrices = ACLVK_ARGUMENT(matrices);
  const uvec2 x = slot_of(0);
  const uvec2 weights = slot_of(1);
  const uvec2 indices = slot_of(2);
  const uvec2 to = slot_of(3);
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint at = group * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (at >= rows * columns) return;
  const uint row = at / columns;
  const uint matrix = word_2(indices, 4 * row);
  const uint count = matrix < matrices ? inner_size : 0u;
  const uint own = row * inner_size;
  const uint other = (matrix * columns + at % columns) * inner_size;
  float sum = 0.0;
  if (kVec8Loads) {
    for (uint k = 0; k < count; k += 8) {  // iterations: elements_per_iteration() of ops/matmul/products/lora.cpp
      float a[8];
      vec8_0(x, own + k, size_of(kDtypeOfX));
      [[unroll]] for (uint i = 0; i < 8; ++i) a[i] = decode(raw[i], kDtypeOfX);
      vec8_1(weights, other + k, size_of(kDtypeOfWeights));
      [[unroll]] for (uint i = 0; i < 8; ++i) sum += a[i] * decode(raw[i], kDtypeOfWeights);
    }
  } else {
    LOOP_OVER(k, 0u, count, 1u) {
      sum += decode(element_0(x, own + k, size_of(kDtypeOfX)), kDtypeOfX) *
             decode(element_1(weights, other + k, size_of(kDtypeOfWeights)), kDtypeOfWeights);
    }
  }
  set_word_3(to, 4 * at, floatBitsToUint(sum));
}
