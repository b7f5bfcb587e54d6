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
T held[8 * kHeld + 8];

void keep(uint at, const uint n) {
  T x[8];
  LOAD(0, at, n, x);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) {
      x[i] = weight_below(x[i], base_of(top));
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
    if (i < n) x[i] = kOperator == 0 ? weight_below(x[i], highest) * factor : (x[i] - highest) - logarithm;
  }
  STORE(1, at, n, x);
}

void hold(uint at, const uint i) {
  T x[8];
  LOAD(0, at, 8u, x);
  [[unroll]] for (uint k = 0; k < 8; ++k) held[8 * i + k] = x[k];
  top = greater(top, greatest_of(x));
}

// softmax holds the weights from here on, log_softmax still x.
void weigh_held(uint at, const uint i) {
  T x[8];
  [[unroll]] for (uint k = 0; k < 8; ++k) x[k] = weight_below(held[8 * i + k], highest);
  [[unroll]] for (uint k = 0; k < 8; ++k) {
    if (kOperator == 0) held[8 * i + k] = x[k];
  }
  lanes[0] += sum_of(x);
}

void give_held(uint at, const uint i) {
  T x[8];
  [[unroll]] for (uint k = 0; k < 8; ++k) {
    x[k] = held[8 * i + k];
    x[k] = kOperator == 0 ? x[k] * factor : (x[k] - highest) - logarithm;
  }
  STORE(1, at, 8u, x);
}

State state_of_held() {
  top = -infinity();
  HELD_SWEEP(hold)
  highest = join_team(State(top, T(0))).highest;
  lanes[0] = T(0);
  HELD_SWEEP(weigh_held)
  return State(highest, lanes[0]);
}

State state_of_row() {
  find_top();
  if (kKept) {
    SWEEP(keep)
  } else {
    SWEEP(take_sum)
  }
  return State(top, sum_of(lanes));
}

void give_row() {
  if (kHeld != 0) {
    HELD_SWEEP(give_held)
  } else if (kKept) {
    factor *= weight_of(top, highest);
    SWEEP(scale)
  } else {
    SWEEP(weigh)
  }
}

void main() {
  if (!find_row()) return;
  State mine = nothing();
  if (kHeld != 0) {
    mine = state_of_held();
  } else {
    mine = state_of_row();
  }
  const State all = join_team(mine);
  highest = all.highest;
  // Of elements that all are -infinity the sum is 0 or no number, and so are the results: 0 / 0.
  const T sum = all.sum;
  factor = T(1) / sum;
  if (kOperator != 0) logarithm = log_of(sum);
  give_row();
}
