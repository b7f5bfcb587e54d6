#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64
// softmax (kOperator 0) and log_softmax (1) of a row. The output may be the input.

#define OPERANDS 2
#define FAMILY_WORDS 0
#define FAMILY_ARGUMENTS
#include "common/rows.glsl"

ROW_INPUT(0)
ROW_INPUT(1)
ROW_OUTPUT(1)

layout(constant_id = FIRST_CONSTANT) const uint kOperator = 0;

#include "common/exponential_sum.glsl"
#include "reduction/team.glsl"

// An exponential costs more than a store: where the output has all digits, it keeps exp(x - top) until the sum is known.
const bool kKept = kOperator == 0 && kDtype1 == (WIDE_FLOATS == 1 ? kDouble : kFloat);

T highest;
T factor;
T logarithm;

void keep(uint at, const uint n) {
  T x[8];
  LOAD(0, at, n, x);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) {
      x[i] = weight_of(x[i], top);
      lanes[i] += x[i];
    }
  }
  STORE(1, at, n, x);
}

void scale(uint at, const uint n) {
  T x[8];
  LOAD(1, at, n, x);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) x[i] *= factor;
  }
  STORE(1, at, n, x);
}

void weigh(uint at, const uint n) {
  T x[8];
  LOAD(0, at, n, x);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) x[i] = kOperator == 0 ? weight_of(x[i], highest) * factor : (x[i] - highest) - logarithm;
  }
  STORE(1, at, n, x);
}

State state_of_row() {
  find_top();
  if (kKept) {
    SWEEP(keep)
  } else {
    SWEEP(take_sum)
  }
  return State(top, sum_of_lanes());
}

void main() {
  if (!find_row()) return;
  const State all = join_team(state_of_row());
  highest = all.highest;
  // Infinity less infinity is no number, and so is what is made of it.
  const T nan = T(uintBitsToFloat(0x7FC00000u));
  const T sum = isinf(highest) ? nan : all.sum;
  if (kKept) {
    factor = weight_of(top, highest) / sum;
    SWEEP(scale)
  } else {
    factor = T(1) / sum;
    logarithm = log_of(sum);
    SWEEP(weigh)
  }
}
