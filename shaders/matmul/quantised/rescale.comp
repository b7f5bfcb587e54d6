#version 460
#extension GL_GOOGLE_include_directive : require
// variants: f32
// Dequantisation and requantisation in float: z = (x + a) * b for elements of factors, z = x * a * b + c for sums of products. kParts
// says which of a, b and c exist. An integer z is rounded to nearest even and saturates.

#include "matmul/quantised/rescale.args.h"
#define OPERANDS 5
#include "common/strided.glsl"
#include "common/math/pair.glsl"

ACLVK_CONSTANTS(RESCALE_CONSTANTS)

// INT32 to INT32 needs more than a float's 24 bits: z is a double-float pair (Dekker 1971).
const bool kInPairs = kOfProducts != 0 && kDtype0 == kInt32 && kDtype4 == kInt32;
const T kBeyond = T(2147483648.0);  // 2^31, the first value that overflows

// The sums as integers; LOAD converts them to floats.
int whole[LANES];

void keep_sums() {
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    whole[i] = int(mode_of(0) == kRepeat ? element_0(lanes.slots[0], lanes.starts[0], kSize0).x : raw[i].x);
  }
}

// Both halves of an int are exact in a float: 20 and 12 bits.
Pair pair_of(int x) { return sum_of(T(x & ~0xFFF), T(x & 0xFFF)); }

// Fast two-sum (Dekker 1971) needs the larger operand first.
Pair sum_of(Pair x, T y) {
  const Pair sum = abs(x.high) < abs(y) ? sum_of(y, x.high) : sum_of(x.high, y);
  precise T low = sum.low + x.low;
  return sum_of(sum.high, low);
}

// Rounds a pair to nearest even: each half, then the sum of their remainders.
int nearest(Pair x) {
  const T high = roundEven(x.high);
  const T low = roundEven(x.low);
  precise T rest_of_high = x.high - high;
  precise T rest_of_low = x.low - low;
  precise T above = (rest_of_high - T(0.5)) + rest_of_low;
  precise T below = (rest_of_high + T(0.5)) + rest_of_low;
  const uint magnitude = uint(abs(high));
  const uint base = high < T(0) ? 0u - magnitude : magnitude;
  const bool odd = ((base + uint(int(low))) & 1u) != 0;
  const int up = int(above > T(0) || (above == T(0) && odd));
  const int down = int(below < T(0) || (below == T(0) && odd));
  const int more = int(low) + up - down;
  if (high == kBeyond && more >= 0) return 0x7FFFFFFF;
  if (high == -kBeyond && more < 0) return int(0x80000000u);
  return int(base + uint(more));
}

// Returns z as an INT32. `about` is z in float, which decides for infinities and NaN: pairs do not carry them.
int whole_of(int x, T a, T b, T c, T about) {
  const Pair scaled = product_of(product_of(pair_of(x), Pair(a, T(0))), Pair(b, T(0)));
  const Pair z = sum_of(scaled, c);
  if (abs(z.high) <= kBeyond) return nearest(z);
  return real_to_integer(isnan(z.high) ? about : z.high, kInt32);
}

void main() {
  if (!find_lanes()) return;
  T x[LANES];
  T a[LANES];
  T b[LANES];
  T c[LANES];
  LOAD(0, x);
  if (kInPairs) keep_sums();
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    a[i] = kOfProducts != 0 ? T(1) : T(0);
    b[i] = T(1);
    c[i] = T(0);
  }
  if ((kParts & 1u) != 0) LOAD(1, a);
  if ((kParts & 2u) != 0) LOAD(2, b);
  if ((kParts & 4u) != 0) LOAD(3, c);
  [[unroll]] for (uint i = 0; i < kLanes; ++i) {
    const T z = kOfProducts != 0 ? x[i] * a[i] * b[i] + c[i] : (x[i] + a[i]) * b[i];
    x[i] = is_floating(kDtype4) ? z : roundEven(z);
    raw[i] = kInPairs ? uvec4(uint(whole_of(whole[i], a[i], b[i], c[i], x[i])), 0u, 0u, 0u) : encode(x[i], kDtype4);
  }
  STORE_BITS(4);
}
