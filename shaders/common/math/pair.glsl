// Double-T arithmetic (double-double, double-float): numbers with twice the digits of T, in the classes f32 and f64.

#ifndef ACLVK_MATH_PAIR
#define ACLVK_MATH_PAIR

#include "common/arithmetic.glsl"

// The number high + low, where high is the rounded sum.
struct Pair {
  T high;
  T low;
};

Pair sum_of(T larger, T smaller) {
  precise T sum = larger + smaller;
  precise T error = smaller - (sum - larger);
  return Pair(sum, error);
}

Pair product_of(T x, T y) {
  const T x1 = upper_half(x);
  const T y1 = upper_half(y);
  precise T x2 = x - x1;
  precise T y2 = y - y1;
  precise T product = x * y;
  precise T error = ((x1 * y1 - product) + x1 * y2 + x2 * y1) + x2 * y2;
  return Pair(product, error);
}

// The product, except for the last two or three digits.
Pair product_of(Pair x, Pair y) {
  const Pair product = product_of(x.high, y.high);
  precise T low = product.low + (x.high * y.low + x.low * y.high);
  return sum_of(product.high, low);
}

#endif
