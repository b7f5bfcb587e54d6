#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// y = (x - mean) / deviation * gamma + beta, for rows of x; ops/norm/norm.cpp says what kParts has for each operator. Operands are
// x; beta, or a second summand of x; gamma; y; 1 / deviation; mean, or x as it was summed up. Sums are made in float.

#define OPERANDS 6
#define FAMILY_WORDS 3
#define FAMILY_ARGUMENTS float epsilon; uint span; float swish;
#include "common/rows.glsl"

ROW_INPUT(0)
ROW_INPUT(1)
ROW_INPUT(2)
ROW_OUTPUT(3)
ROW_OUTPUT(4)
ROW_OUTPUT(5)

layout(constant_id = FIRST_CONSTANT) const uint kParts = 0;

const bool kCentered = (kParts & 1u) != 0;      // mean and variance; else mean square
const bool kGamma = (kParts & 2u) != 0;
const bool kBeta = (kParts & 4u) != 0;
const bool kSummed = (kParts & 8u) != 0;        // operand 1 is added to x, and the sum goes to operand 5
const bool kScale = (kParts & 16u) != 0;        // operand 4 is wanted
const bool kMean = (kParts & 32u) != 0;         // operand 5 is wanted
const bool kOnePlus = (kParts & 64u) != 0;      // gamma is what is added to 1
const bool kChannels = (kParts & 128u) != 0;    // gamma and beta have an element for each `span` of a row
const bool kSwish = (kParts & 256u) != 0;       // y * sigmoid(swish * y)
const bool kVariance = (kParts & 512u) != 0;    // operand 4 is the variance
const bool kRoundSum = (kParts & 1024u) != 0;   // x is rounded to its dtype once it is summed up
const bool kRoundNorm = (kParts & 2048u) != 0;  // and once it is normalised

#include "common/math/exponential.glsl"

void load_moments(uint at, const uint n, out T x[8]) {
  LOAD(0, at, n, x);
  if (kSummed) {
    T more[8];
    LOAD(1, at, n, more);
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

T channel_1(uint at) {
  const uint size = size_of(kDtype1);
  return decode(element_1(row.slots[1], row.starts[1] + at / span, size), kDtype1);
}
T channel_2(uint at) {
  const uint size = size_of(kDtype2);
  return decode(element_2(row.slots[2], row.starts[2] + at / span, size), kDtype2);
}

// Of a row, and of what all rows are multiplied with and added to.
T held[8 * kRegisterVec8s + 8];
T factors[8 * kRegisterVec8s + 8];
T summands[8 * kRegisterVec8s + 8];
T factor[8];
T summand[8];

void load_parameters(uint at, const uint n) {
  if (kGamma && !kChannels) LOAD(2, at, n, factor);
  if (kBeta && !kChannels) LOAD(1, at, n, summand);
}

void hold_parameters(uint at, const uint i) {
  load_parameters(at, 8u);
  [[unroll]] for (uint k = 0; k < 8; ++k) {
    factors[8 * i + k] = factor[k];
    summands[8 * i + k] = summand[k];
  }
}

void give(uint at, const uint n, T x[8]) {
  if (kSummed && kMean) STORE(5, at, n, x);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) {
      T y = (x[i] - mean) * scale;
      if (kRoundNorm) y = round_real(y, kDtype0);
      const T gamma = kChannels ? channel_2(at + i) : factor[i];
      if (kGamma) y *= kOnePlus ? T(1) + gamma : gamma;
      if (kBeta) y += kChannels ? channel_1(at + i) : summand[i];
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
  give(at, n, x);
}

void normalise_held(uint at, const uint i) {
  T x[8];
  [[unroll]] for (uint k = 0; k < 8; ++k) {
    x[k] = held[8 * i + k];
    factor[k] = factors[8 * i + k];
    summand[k] = summands[8 * i + k];
  }
  give(at, 8u, x);
}

// Squares are summed without a mean.
T squares[8];

void add_squares(T x[8], const uint n) {
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) squares[i] += x[i] * x[i];
  }
}

void take(uint at, const uint n) {
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
    SWEEP(take)
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
  if (kScale) STORE_ONE(4, encode(kVariance ? variance : scale, kDtype4));
  if (kMean && !kSummed) STORE_ONE(5, encode(mean, kDtype5));
}

void main() {
  const T epsilon = ACLVK_ARGUMENT(epsilon);
  span = ACLVK_ARGUMENT(span);
  swish = ACLVK_ARGUMENT(swish);
  if (kRegisterVec8s != 0) {
    if (find_row()) SWEEP_REGISTERS(hold_parameters)
  }
  for (uint turn = 0; turn < kRowsPerTeam; ++turn) {
    if (find_row(turn)) normalise_row(epsilon);
  }
}
