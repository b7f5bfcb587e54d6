#version 460
#extension GL_GOOGLE_include_directive : require
// variants: bits
// Dynamic loss scaling: the new scale (kPart 0), or the new number of steps since the last growth (kPart 1). Operands:
// the scale; that number (int32); a flag that a gradient was infinite or NaN; the result.

#include "optimizer/loss_scale.args.h"
#define OPERANDS 4
#define OWN_ARGUMENTS LOSS_SCALE_ARGUMENTS
#include "common/strided.glsl"

ACLVK_CONSTANTS(LOSS_SCALE_CONSTANTS)

void main() {
  const float growth = ACLVK_ARGUMENT(growth);
  const float backoff = ACLVK_ARGUMENT(backoff);
  const int interval = ACLVK_ARGUMENT(interval);
  if (!find_lanes()) return;
  uvec4 scale[LANES];
  uvec4 steps[LANES];
  uvec4 found[LANES];
  LOAD(0, scale);
  LOAD(1, steps);
  LOAD(2, found);
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    const bool failed = bits_to_real(found[i], kDtype2, kFloat) != 0.0;
    const int successful = int(steps[i].x) + 1;
    const bool grows = kGrows && !failed && successful == interval;
    if (kPart == 0) {
      const float old = bits_to_real(scale[i], kDtype0, kFloat);
      const float larger = round_real(old * growth, kDtype3);
      const float next = grows && !isnan(larger) && !isinf(larger) ? larger : old;
      raw[i] = real_to_bits(failed ? old * backoff : next, kDtype3);
    } else {
      raw[i] = uvec4(failed || grows ? 0u : uint(successful), 0u, 0u, 0u);
    }
  }
  STORE_BITS(3);
}
