#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 masked biased
// softmax (kOperator 0) or log_softmax (1) of a row. Each thread finds the maximum and the sum of exponentials of its
// elements, and the team joins these pairs by the rule of online softmax (M. Milakov and N. Gimelshein, 2018). A row
// that fits in registers is read once and shares one maximum. The output may be the input.
//
//     masked   of x * scale, in float; masked elements count as -10000
//     biased   of x * scale + mask + position bias, in float; kMasked: there is a mask

#include "softmax/softmax.args.h"
#if defined(VARIANT_masked)
#define OPERANDS 3
#elif defined(VARIANT_biased)
#define OPERANDS 4
#else
#define OPERANDS 2
#endif
#if OPERANDS > 2
#define OWN_ARGUMENTS SOFTMAX_ARGUMENTS
#endif
#include "common/rows.glsl"

ROW_INPUT(0)
ROW_INPUT(1)
#if OPERANDS == 2
ROW_OUTPUT(1)
#define LOAD_OUT(at, n, values) LOAD(1, at, n, values)
#define STORE_OUT(at, n, values) STORE(1, at, n, values)
#define kDtypeOut kDtype1
#elif OPERANDS == 3
ROW_INPUT(2)
ROW_OUTPUT(2)
#define LOAD_OUT(at, n, values) LOAD(2, at, n, values)
#define STORE_OUT(at, n, values) STORE(2, at, n, values)
#define kDtypeOut kDtype2
#else
ROW_INPUT(2)
ROW_INPUT(3)
ROW_OUTPUT(3)
#define LOAD_OUT(at, n, values) LOAD(3, at, n, values)
#define STORE_OUT(at, n, values) STORE(3, at, n, values)
#define kDtypeOut kDtype3
#endif

ACLVK_CONSTANTS(SOFTMAX_CONSTANTS)
#undef FIRST_CONSTANT
#define FIRST_CONSTANT (FRAME_CONSTANTS + ACLVK_CONSTANT_COUNT(SOFTMAX_CONSTANTS))
ACLVK_CONSTANTS(SOFTMAX_MASK_CONSTANTS)

#if OPERANDS > 2
T scale_of_x;

void load_elements(uint at, const uint n, out T x[8]) {
  T mask[8];
  LOAD(0, at, n, x);
#if OPERANDS == 3
  LOAD(1, at, n, mask);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) x[i] = mask[i] != T(0) ? T(-10000) : x[i] * scale_of_x;
  }
#else
  T bias[8];
  LOAD(2, at, n, bias);
  if (kMasked != 0) LOAD(1, at, n, mask);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) x[i] = x[i] * scale_of_x + (kMasked != 0 ? mask[i] + bias[i] : bias[i]);
  }
#endif
}
#define LOAD_ELEMENTS(at, n, values) load_elements(at, n, values)
#endif

#include "common/exponential_sum.glsl"
#include "reduction/team.glsl"

// exp costs more than a store: a float (or double) output stores exp(x - top) until the sum is known.
const bool kStoresWeights = kOperator == 0 && kDtypeOut == (WIDE_FLOATS == 1 ? kDouble : kFloat);

T highest;
T factor;
T logarithm;
T held[8 * kRegisterVec8s + 8];

void store_weights(uint at, const uint n) {
  T x[8];
  LOAD_ELEMENTS(at, n, x);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) {
      x[i] = exp_below_max(x[i], finite_max(thread_max));
      partials[i] += x[i];
    }
  }
  STORE_OUT(at, n, x);
}

void scale(uint at, const uint n) {
  T x[8];
  LOAD_OUT(at, n, x);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) x[i] *= factor;
  }
  STORE_OUT(at, n, x);
}

void write_weights(uint at, const uint n) {
  T x[8];
  LOAD_ELEMENTS(at, n, x);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) x[i] = kOperator == 0 ? exp_below_max(x[i], highest) * factor : (x[i] - highest) - logarithm;
  }
  STORE_OUT(at, n, x);
}

void hold(uint at, const uint i) {
  T x[8];
  LOAD_ELEMENTS(at, 8u, x);
  [[unroll]] for (uint k = 0; k < 8; ++k) held[8 * i + k] = x[k];
  thread_max = plain_max(thread_max, max_of(x));
}

// From here on `held` has the weights exp(x - highest) for softmax, and still x for log_softmax.
void weight_held(uint at, const uint i) {
  T x[8];
  [[unroll]] for (uint k = 0; k < 8; ++k) x[k] = exp_below_max(held[8 * i + k], highest);
  [[unroll]] for (uint k = 0; k < 8; ++k) {
    if (kOperator == 0) held[8 * i + k] = x[k];
  }
  partials[0] += sum_of(x);
}

void write_held(uint at, const uint i) {
  T x[8];
  [[unroll]] for (uint k = 0; k < 8; ++k) {
    x[k] = held[8 * i + k];
    x[k] = kOperator == 0 ? x[k] * factor : (x[k] - highest) - logarithm;
  }
  STORE_OUT(at, 8u, x);
}

State state_of_held() {
  thread_max = -infinity();
  SWEEP_REGISTERS(hold)
  highest = join_team(State(thread_max, T(0))).row_max;
  partials[0] = T(0);
  SWEEP_REGISTERS(weight_held)
  return State(highest, partials[0]);
}

State state_of_row() {
  find_thread_max();
  if (kStoresWeights) {
    SWEEP(store_weights)
  } else {
    SWEEP(accumulate_sum)
  }
  return State(thread_max, sum_of(partials));
}

void write_row() {
  if (kRegisterVec8s != 0) {
    SWEEP_REGISTERS(write_held)
  } else if (kStoresWeights) {
    factor *= exp_difference(thread_max, highest);
    SWEEP(scale)
  } else {
    SWEEP(write_weights)
  }
}

void main() {
#if OPERANDS > 2
  scale_of_x = T(ACLVK_ARGUMENT(factor));
#endif
  if (!find_row()) return;
  State mine = nothing();
  if (kRegisterVec8s != 0) {
    mine = state_of_held();
  } else {
    mine = state_of_row();
  }
  const State all = join_team(mine);
  highest = all.row_max;
  // If all elements are -infinity, the sum is 0 or NaN, and the results are NaN as in torch.
  const T sum = all.sum;
  factor = T(1) / sum;
  if (kOperator != 0) logarithm = log_of(sum);
  write_row();
}
