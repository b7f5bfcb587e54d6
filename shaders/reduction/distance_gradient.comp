#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// The gradient of shaders/reduction/distance.comp for an element x of a vector: the sum over the distances to all other vectors. Operands:
// the gradients of the distances, the other vectors' elements y, and the distances, all along the row; x; and the sum.

#include "reduction/distance_gradient.args.h"
#define OPERANDS 5
#define OWN_ARGUMENTS DISTANCE_GRADIENT_ARGUMENTS
#include "common/rows.glsl"
#include "common/arithmetic.glsl"

ROW_INPUT(0)
ROW_INPUT(1)
ROW_INPUT(2)
ROW_INPUT(3)
ROW_OUTPUT(4)

ACLVK_CONSTANTS(DISTANCE_GRADIENT_CONSTANTS)
const uint kOther = 0, kZero = 1, kOne = 2, kTwo = 3, kMax = 4;

#include "common/math/exponential.glsl"
#include "common/math/power.glsl"

struct State {
  T sum;
};
State join(State x, State y) { return State(x.sum + y.sum); }
uvec4 words_of(State s) { return pack(s.sum); }
State state_of(uvec4 words) { return State(unpack(words)); }

#include "reduction/team.glsl"

T exponent;
T x;
T sum;

// Propagates NaN.
T sign_of(T difference) { return difference > T(0) ? T(1) : difference < T(0) ? T(-1) : difference; }

// The derivative of the distance by x; 0 for a distance of 0, where it is undefined.
T slope(T difference, T distance) {
  const T size = abs(difference);
  if (kNorm == kZero) return T(0);
  if (kNorm == kOne) return sign_of(difference);
  if (kNorm == kTwo) return distance == T(0) ? T(0) : difference / distance;
  // The distance was rounded to its dtype, so the comparison rounds, too.
  if (kNorm == kMax) return round_real(size, kDtype2) == distance ? sign_of(difference) : isnan(size) ? size : T(0);
  if (distance == T(0) || size == T(0)) return T(0);
  return sign_of(difference) * power(size / distance, exponent - T(1));
}

void accumulate(uint at, const uint n) {
  T g[8];
  T y[8];
  T distance[8];
  LOAD(0, at, n, g);
  LOAD(1, at, n, y);
  LOAD(2, at, n, distance);
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    if (i < n) sum += g[i] * slope(x - y[i], distance[i]);
  }
}

void main() {
  exponent = ACLVK_ARGUMENT(exponent);
  if (!find_row()) return;
  x = decode(element_3(row.slots[3], row.starts[3], size_of(kDtype3)), kDtype3);
  sum = T(0);
  SWEEP(accumulate)
  const State all = join_team(State(sum));
  if (!writes_for_team()) return;
  STORE_ONE(4, encode(all.sum, kDtype4));
}
