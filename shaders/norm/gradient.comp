#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// dx of a normalised row: scale * (g - mean(g) - n * mean(g * n)), where g = dy * gamma and n = (x - mean) * scale;
// without a mean (RmsNorm) the term mean(g) is dropped. Operands: dy; x; gamma; mean; scale (1 / standard deviation);
// dx. mean and scale have one element a row. Sums are floats.

#include "norm/gradient.args.h"
#define OPERANDS 6
#include "common/rows.glsl"

ROW_INPUT(0)
ROW_INPUT(1)
ROW_INPUT(2)
ROW_INPUT(3)
ROW_INPUT(4)
ROW_OUTPUT(5)

ACLVK_CONSTANTS(GRADIENT_CONSTANTS)

const bool kGamma = (kFlags & 1u) != 0;
const bool kMean = (kFlags & 2u) != 0;

#include "norm/sums.glsl"
#include "reduction/team.glsl"

T mean;
T scale;
T inverse_count;     // 1 / elements of a row
State all;

void load_row(uint at, const uint n, out T g[8], out T x[8]) {
  LOAD(0, at, n, g);
  LOAD(1, at, n, x);
  T gamma[8];
  if (kGamma) LOAD(2, at, n, gamma);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) {
      if (kGamma) g[i] *= gamma[i];
      x[i] = (x[i] - mean) * scale;
    }
  }
}

void accumulate(uint at, const uint n) {
  T g[8];
  T x[8];
  load_row(at, n, g, x);
  add_to_sums(g, x, n);
}

void write_result(uint at, const uint n) {
  T g[8];
  T x[8];
  load_row(at, n, g, x);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) g[i] = scale * (g[i] - ((kMean ? all.sum : T(0)) + x[i] * all.product) * inverse_count);
  }
  STORE(5, at, n, g);
}

void main() {
  if (!find_row()) return;
  mean = kMean ? decode(element_3(row.slots[3], row.starts[3], size_of(kDtype3)), kDtype3) : T(0);
  scale = decode(element_4(row.slots[4], row.starts[4], size_of(kDtype4)), kDtype4);
  inverse_count = T(1) / T(row.count);
  begin_sums();
  SWEEP(accumulate)
  all = join_team(state_of_sums());
  SWEEP(write_result)
}
