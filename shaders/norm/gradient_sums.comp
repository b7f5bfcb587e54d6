#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// For a row of dy and x: sum(dy), and sum(dy * n) with n = (x - mean) * scale. Operands: dy; x; mean; scale (1 /
// standard deviation), or the variance; the two sums, in float. mean and scale have one element a row or, with
// kPerElement, one for each element.

#include "norm/gradient_sums.args.h"
#define OPERANDS 6
#define OWN_ARGUMENTS GRADIENT_SUMS_ARGUMENTS
#include "common/rows.glsl"

ROW_INPUT(0)
ROW_INPUT(1)
ROW_INPUT(2)
ROW_INPUT(3)
ROW_OUTPUT(4)
ROW_OUTPUT(5)

ACLVK_CONSTANTS(GRADIENT_SUMS_CONSTANTS)

const bool kMean = (kFlags & 1u) != 0;      // else x is not centred
const bool kScale = (kFlags & 2u) != 0;     // else x is not scaled
const bool kVariance = (kFlags & 4u) != 0;  // operand 3 is the variance
const bool kPerElement = (kFlags & 8u) != 0;    // mean and scale vary along the row

#include "norm/sums.glsl"
#include "reduction/team.glsl"

T epsilon;
T mean;
T scale;

T scale_of(T value) { return kVariance ? T(1) / sqrt(value + epsilon) : value; }

void accumulate(uint at, const uint n) {
  T g[8];
  T x[8];
  T means[8];
  T scales[8];
  LOAD(0, at, n, g);
  LOAD(1, at, n, x);
  if (kPerElement && kMean) LOAD(2, at, n, means);
  if (kPerElement && kScale) LOAD(3, at, n, scales);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) {
      if (kMean) x[i] -= kPerElement ? means[i] : mean;
      if (kScale) x[i] *= kPerElement ? scale_of(scales[i]) : scale;
    }
  }
  add_to_sums(g, x, n);
}

void main() {
  epsilon = ACLVK_ARGUMENT(epsilon);
  if (!find_row()) return;
  if (!kPerElement && kMean) mean = decode(element_2(row.slots[2], row.starts[2], size_of(kDtype2)), kDtype2);
  if (!kPerElement && kScale) scale = scale_of(decode(element_3(row.slots[3], row.starts[3], size_of(kDtype3)), kDtype3));
  begin_sums();
  SWEEP(accumulate)
  const State all = join_team(state_of_sums());
  if (!writes_for_team()) return;
  STORE_ONE(4, encode(all.sum, kDtype4));
  STORE_ONE(5, encode(all.product, kDtype5));
}
