#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// y = (x - mean) * scale * gamma + beta for rows of x, with scale = 1 / sqrt(variance + epsilon); NormFlag in
// ops/norm/norm_rows.hpp names the flags. Operands: x; beta or, with kAddend, the addend of x; gamma; y; scale; mean
// or, with kAddend, x + addend. No operator has an addend and beta, or an addend and a mean. Mean and variance come
// from one pass (common/moments.glsl); sums are floats.

#include "norm/norm.args.h"
#define OPERANDS 6
#define OWN_ARGUMENTS NORM_ARGUMENTS
#include "common/rows.glsl"

ROW_INPUT(0)
ROW_INPUT(1)
ROW_INPUT(2)
ROW_OUTPUT(3)
ROW_OUTPUT(4)
ROW_OUTPUT(5)

// The two meanings of operands 1 and 5.
#define LOAD_BETA(at, n, values) LOAD(1, at, n, values)
#define LOAD_ADDEND(at, n, values) LOAD(1, at, n, values)
#define STORE_MEAN(bits) STORE_ONE(5, bits)
#define STORE_SUM(at, n, values) STORE(5, at, n, values)

ACLVK_CONSTANTS(NORM_CONSTANTS)

const bool kCentered = (kFlags & 1u) != 0;      // LayerNorm: mean and variance; else RmsNorm: mean square
const bool kGamma = (kFlags & 2u) != 0;
const bool kBeta = (kFlags & 4u) != 0;
const bool kAddend = (kFlags & 8u) != 0;        // x + addend is normalised
const bool kScaleOut = (kFlags & 16u) != 0;     // operand 4 is written
const bool kLastOut = (kFlags & 32u) != 0;      // operand 5 is written
const bool kSumOut = kLastOut && kAddend;
const bool kMeanOut = kLastOut && !kAddend;
const bool kOnePlus = (kFlags & 64u) != 0;      // multiplies by 1 + gamma
const bool kChannels = (kFlags & 128u) != 0;    // gamma and beta have one element for each `span` elements of a row
const bool kSwish = (kFlags & 256u) != 0;       // y * sigmoid(swish * y)
const bool kVariance = (kFlags & 512u) != 0;    // operand 4 receives the variance
const bool kRoundSum = (kFlags & 1024u) != 0;   // rounds x + addend to the dtype of x
const bool kRoundNorm = (kFlags & 2048u) != 0;  // rounds the normalised value to the dtype of x

#include "common/math/exponential.glsl"

void load_moments(uint at, const uint n, out T x[8]) {
  LOAD(0, at, n, x);
  if (kAddend) {
    T more[8];
    LOAD_ADDEND(at, n, more);
    [[unroll]] for (uint i = 0; i < 8; ++i) {
      if (i < n) x[i] = kRoundSum ? round_real(x[i] + more[i], kDtype0) : x[i] + more[i];
    }
  }
}

#include "common/moments.glsl"
#include "reduction/team.glsl"

uint span;
T mean;
T scale;
T swish;

T beta_of_channel(uint at) {
  const uint size = size_of(kDtype1);
  return decode(element_1(row.slots[1], row.starts[1] + at / span, size), kDtype1);
}
T gamma_of_channel(uint at) {
  const uint size = size_of(kDtype2);
  return decode(element_2(row.slots[2], row.starts[2] + at / span, size), kDtype2);
}

// Elements of a row in registers, and those of gamma and beta, which all rows of a team share.
T held[8 * kRegisterVec8s + 8];
T gammas[8 * kRegisterVec8s + 8];
T betas[8 * kRegisterVec8s + 8];
T gamma_vec8[8];
T beta_vec8[8];

void load_parameters(uint at, const uint n) {
  if (kGamma && !kChannels) LOAD(2, at, n, gamma_vec8);
  if (kBeta && !kChannels) LOAD_BETA(at, n, beta_vec8);
}

void hold_parameters(uint at, const uint i) {
  load_parameters(at, 8u);
  [[unroll]] for (uint k = 0; k < 8; ++k) {
    gammas[8 * i + k] = gamma_vec8[k];
    betas[8 * i + k] = beta_vec8[k];
  }
}

void write_result(uint at, const uint n, T x[8]) {
  if (kSumOut) STORE_SUM(at, n, x);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) {
      T y = (x[i] - mean) * scale;
      if (kRoundNorm) y = round_real(y, kDtype0);
      const T gamma = kChannels ? gamma_of_channel(at + i) : gamma_vec8[i];
      if (kGamma) y *= kOnePlus ? T(1) + gamma : gamma;
      if (kBeta) y += kChannels ? beta_of_channel(at + i) : beta_vec8[i];
      if (kSwish) y /= T(1) + exp_of(-swish * y);
      x[i] = y;
    }
  }
  STORE(3, at, n, x);
}

void normalise(uint at, const uint n) {
  T x[8];
  load_moments(at, n, x);
  load_parameters(at, n);
  write_result(at, n, x);
}

void normalise_held(uint at, const uint i) {
  T x[8];
  [[unroll]] for (uint k = 0; k < 8; ++k) {
    x[k] = held[8 * i + k];
    gamma_vec8[k] = gammas[8 * i + k];
    beta_vec8[k] = betas[8 * i + k];
  }
  write_result(at, 8u, x);
}

// The sum of squares for RmsNorm, eight partial sums.
T squares[8];

void add_squares(T x[8], const uint n) {
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) squares[i] += x[i] * x[i];
  }
}

void accumulate(uint at, const uint n) {
  T x[8];
  load_moments(at, n, x);
  if (kCentered) {
    add_moments(x, n);
  } else {
    add_squares(x, n);
  }
}

void hold(uint at, const uint i) {
  T x[8];
  load_moments(at, 8u, x);
  [[unroll]] for (uint k = 0; k < 8; ++k) held[8 * i + k] = x[k];
  if (kCentered) {
    add_moments(x, 8u);
  } else {
    add_squares(x, 8u);
  }
}

State state_of_row() {
  running = nothing();
  origin = T(0);
  [[unroll]] for (uint i = 0; i < 8; ++i) squares[i] = T(0);
  if (kRegisterVec8s != 0) {
    SWEEP_REGISTERS(hold)
  } else {
    SWEEP(accumulate)
  }
  State found = running;
  found.mean += origin;
  if (!kCentered) found = State(T(1), T(0), sum_of(squares));
  return found;
}

void normalise_row(T epsilon) {
  const State all = join_team(state_of_row());
  const T variance = all.m2 / T(row.count);
  mean = all.mean;
  scale = T(1) / sqrt(variance + epsilon);
  if (kRegisterVec8s != 0) {
    SWEEP_REGISTERS(normalise_held)
  } else {
    SWEEP(normalise)
  }
  if (!writes_for_team()) return;
  if (kScaleOut) STORE_ONE(4, encode(kVariance ? variance : scale, kDtype4));
  if (kMeanOut) STORE_MEAN(encode(mean, kDtype5));
}

void main() {
  const T epsilon = ACLVK_ARGUMENT(epsilon);
  span = ACLVK_ARGUMENT(span);
  swish = ACLVK_ARGUMENT(swish);
  if (kRegisterVec8s != 0) {
    if (find_row()) SWEEP_REGISTERS(hold_parameters)
  }
  for (uint iteration = 0; iteration < kRowsPerTeam; ++iteration) {
    if (find_row(iteration)) normalise_row(epsilon);
  }
}
