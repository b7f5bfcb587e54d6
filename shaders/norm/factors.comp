#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// The four planes of floats that channel_map.comp applies (norm/channel_factors.glsl). A row is a group of channels with
// one mean and one scale (1 / standard deviation). Let s and t be the sums of dy and of dy * (x - mean) * scale of a
// channel.
//
//             dy_factor       x_factor                                          constant
//     dx      scale * gamma   -scale^2 * inverse_count * sum(gamma * t)         -scale * inverse_count * sum(gamma * s)
//     y       0               scale * gamma                                     beta
//
// Operands: s or, with kForward, beta; t; gamma; mean; scale or, with kVariance, the variance; the planes.

#include "norm/factors.args.h"
#define OPERANDS 6
#define OWN_ARGUMENTS FACTORS_ARGUMENTS
#include "common/rows.glsl"

ROW_INPUT(0)
ROW_INPUT(1)
ROW_INPUT(2)
ROW_INPUT(3)
ROW_INPUT(4)
ROW_OUTPUT(5)

// The two meanings of operand 0.
#define LOAD_SUMS(at, n, values) LOAD(0, at, n, values)
#define LOAD_BETA(at, n, values) LOAD(0, at, n, values)

ACLVK_CONSTANTS(FACTORS_CONSTANTS)

const bool kGamma = (kFlags & 1u) != 0;     // else gamma is 1
const bool kSums = (kFlags & 2u) != 0;      // else mean and scale are constants, and x_factor and constant are 0
const bool kVariance = (kFlags & 4u) != 0;  // operand 4 is the variance
const bool kForward = (kFlags & 8u) != 0;   // y; else dx
const bool kBeta = (kFlags & 16u) != 0;     // else beta is 0
const bool kUnscaled = (kFlags & 32u) != 0; // t is the sum of dy * (x - mean)

#include "norm/channel_factors.glsl"
#include "norm/sums.glsl"
#include "reduction/team.glsl"

uint plane;
T inverse_count;
T mean;
T scale;
State all;

void accumulate(uint at, const uint n) {
  T s[8];
  T t[8];
  T gamma[8];
  LOAD_SUMS(at, n, s);
  LOAD(1, at, n, t);
  if (kGamma) LOAD(2, at, n, gamma);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) {
      const T factor = kGamma ? gamma[i] : T(1);
      sums[i] += factor * s[i];
      products[i] += factor * (kUnscaled ? t[i] * scale : t[i]);
    }
  }
}

void set_factor(uint kind, uint at, T value) {
  const uint place = row.starts[5] + kind * plane + at * row.steps[5];
  set_element_5(row.slots[5], place, size_of(kDtype5), encode(value, kDtype5));
}

void write_result(uint at, const uint n) {
  T gamma[8];
  T beta[8];
  if (kGamma) LOAD(2, at, n, gamma);
  if (kForward && kBeta) LOAD_BETA(at, n, beta);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) {
      const T factor = scale * (kGamma ? gamma[i] : T(1));
      set_factor(kDyFactor, at + i, kForward ? T(0) : factor);
      set_factor(kXFactor, at + i, kForward ? factor : kSums ? -scale * scale * inverse_count * all.product : T(0));
      set_factor(kMeanFactor, at + i, mean);
      set_factor(kConstantFactor, at + i, kForward ? (kBeta ? beta[i] : T(0)) : kSums ? -scale * inverse_count * all.sum : T(0));
    }
  }
}

void main() {
  const float epsilon = ACLVK_ARGUMENT(epsilon);
  inverse_count = ACLVK_ARGUMENT(inverse_count);
  plane = ACLVK_ARGUMENT(plane);
  if (!find_row()) return;
  mean = decode(element_3(row.slots[3], row.starts[3], size_of(kDtype3)), kDtype3);
  scale = decode(element_4(row.slots[4], row.starts[4], size_of(kDtype4)), kDtype4);
  if (kVariance) scale = T(1) / sqrt(scale + epsilon);
  begin_sums();
  if (kSums) {
    SWEEP(accumulate)
    all = join_team(state_of_sums());
  }
  SWEEP(write_result)
}
