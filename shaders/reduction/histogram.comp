#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32 f64 i32 i64
// Counts the elements of operand 0 in bins. Three kernels: kPhase 0 clears the counts, operand 1; 1 counts; 2 writes them to operand 3.
// The range of the bins is in the arguments, or with kOwnRange in operand 2, lowest and highest. kDirect: an element is the number of its bin.

#include "reduction/histogram.args.h"
#define OPERANDS 4
#define OWN_ARGUMENTS HISTOGRAM_ARGUMENTS
#include "common/rows.glsl"

ROW_INPUT(0)
ROW_INPUT(2)
ROW_OUTPUT(3)

ACLVK_CONSTANTS(HISTOGRAM_CONSTANTS)

uint bins;
T low;
T high;

void count_one(uint bin) {
  const uvec2 slot = row.slots[1];
  atomicAdd(ACLVK_VIEW1(1).data[(base_of(slot) + 4 * bin) >> 2], 1u);
}

void count_all(uint at, const uint n) {
  T x[8];
  LOAD(0, at, n, x);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) {
      // NaN is not counted.
      const bool inside = kDirect ? x[i] >= T(0) && x[i] < T(bins) : x[i] >= low && x[i] <= high;
      if (inside) count_one(kDirect ? uint(x[i]) : min(uint((x[i] - low) * T(bins) / (high - low)), bins - 1u));
    }
  }
}

void find_range() {
  low = value_of(uvec4(ACLVK_ARGUMENT(low[0]), ACLVK_ARGUMENT(low[1]), 0u, 0u));
  high = value_of(uvec4(ACLVK_ARGUMENT(high[0]), ACLVK_ARGUMENT(high[1]), 0u, 0u));
}

void read_range() {
  low = decode(element_2(row.slots[2], 0, size_of(kDtype2)), kDtype2);
  high = decode(element_2(row.slots[2], 1, size_of(kDtype2)), kDtype2);
  if (low == high) {
    low -= T(1);
    high += T(1);
  }
}

void main() {
  bins = ACLVK_ARGUMENT(bins);
  find_range();
  if (!find_row()) return;
  const uint at = 4 * row.starts[1];
  if (kPhase == 0) {
    set_word_1(row.slots[1], at, 0u);
  } else if (kPhase == 1) {
    if (kOwnRange) read_range();
    SWEEP(count_all)
  } else {
    STORE_ONE(3, encode(T(word_1(row.slots[1], at)), kDtype3));
  }
}
