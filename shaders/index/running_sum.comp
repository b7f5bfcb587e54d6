#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : enable
// z[n] = x[0] + ... + x[n] of uint32, int32 or int64 counts, as uint32: one workgroup scans the whole vector. x may be a
// single element (step 0). Negative counts are 0.

#include "index/running_sum.args.h"
#define OPERANDS 2
#define OWN_ARGUMENTS RUNNING_SUM_ARGUMENTS
#include "common/kernel.glsl"
#include "common/dtype.glsl"

layout(local_size_x = 256) in;
ACLVK_CONSTANTS(RUNNING_SUM_CONSTANTS)

const uint kEach = 16;  // elements that a thread adds per iteration; keeps iterations below kMaxIterations

shared uint sums[256];

uint count_at(uvec2 slot, uint index) {
  const bool wide = kDtype == kInt64;
  const uint low = word_0(slot, index * (wide ? 8u : 4u));
  const uint high = wide ? word_0(slot, index * 8u + 4u) : low;
  return int(high) < 0 ? 0u : low;
}

void main() {
  const uint count = ACLVK_ARGUMENT(count);
  const uint step = ACLVK_ARGUMENT(step);
  const uvec2 source = slot_of(0);
  const uvec2 target = slot_of(1);
  const uint thread = gl_LocalInvocationID.x;
  uint before = 0;
  for (uint first = 0; first < count; first += 256u * kEach) {  // iterations: ops/index/indexed_kernels.cpp counts them
    const uint mine = first + thread * kEach;
    uint own[kEach];  // the running sums of this thread
    [[unroll]] for (uint i = 0; i < kEach; ++i) {
      own[i] = (i > 0 ? own[i - 1] : 0u) + (mine + i < count ? count_at(source, (mine + i) * step) : 0u);
    }
    sums[thread] = own[kEach - 1];
    barrier();
    for (uint distance = 1; distance < 256u; distance *= 2u) {
      const uint other = thread >= distance ? sums[thread - distance] : 0u;
      barrier();
      sums[thread] += other;
      barrier();
    }
    const uint others = before + sums[thread] - own[kEach - 1];
    [[unroll]] for (uint i = 0; i < kEach; ++i) {
      if (mine + i < count) set_word_1(target, (mine + i) * 4u, others + own[i]);
    }
    before += sums[255];
    barrier();
  }
}
