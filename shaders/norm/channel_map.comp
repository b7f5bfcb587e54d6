#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// dy_factor * dy + x_factor * (x - mean) + constant for rows of dy and x, with the four planes of factors.comp: one set
// for the row or, with kPerElement, one for each element (rows go along channels). Without dy: n = x_factor * (x - mean)
// + constant. kSwish: the gradient of n from dy of n * sigmoid(swish * n). Operands: dy; x; the planes; the result.

#include "norm/channel_map.args.h"
#define OPERANDS 4
#define OWN_ARGUMENTS CHANNEL_MAP_ARGUMENTS
#include "common/rows.glsl"

ROW_INPUT(0)
ROW_INPUT(1)
ROW_INPUT(2)
ROW_OUTPUT(3)

ACLVK_CONSTANTS(CHANNEL_MAP_CONSTANTS)

const bool kGradient = (kFlags & 1u) != 0;  // dy exists
const bool kCentered = (kFlags & 2u) != 0;  // x exists; else only dy_factor is used
const bool kPerElement = (kFlags & 4u) != 0;
const bool kSwish = (kFlags & 8u) != 0;

#include "common/math/exponential.glsl"
#include "norm/channel_factors.glsl"

uint plane;
T swish;
T factors[4];

void find_factors(uint at) {
  [[unroll]] for (uint k = 0; k < 4; ++k) {
    const uint place = row.starts[2] + k * plane + at * row.steps[2];
    factors[k] = decode(element_2(row.slots[2], place, size_of(kDtype2)), kDtype2);
  }
}

void visit(uint at, const uint n) {
  T g[8];
  T x[8];
  if (kGradient) LOAD(0, at, n, g);
  if (kCentered) LOAD(1, at, n, x);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) {
      if (kPerElement) find_factors(at + i);
      const T moved = kCentered ? factors[kXFactor] * (x[i] - factors[kMeanFactor]) + factors[kConstantFactor] : T(0);
      if (kSwish) {
        const T sigmoid = sigmoid_of(swish * moved);
        x[i] = g[i] * (sigmoid * (T(1) + swish * moved * (T(1) - sigmoid)));
      } else {
        x[i] = kGradient ? factors[kDyFactor] * g[i] + moved : moved;
      }
    }
  }
  STORE(3, at, n, x);
}

void main() {
  plane = ACLVK_ARGUMENT(plane);
  swish = ACLVK_ARGUMENT(swish);
  if (!find_row()) return;
  if (!kPerElement) find_factors(0);
  SWEEP(visit)
}
