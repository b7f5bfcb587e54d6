// x to the power of y. Integers: exponentiation by squaring, with wrapping. Floats: 2^(y * log2 x), with the exponent in double-T
// arithmetic, because its error is multiplied by up to 128 (1024) in the result.

#if INTEGER_CLASS

// A negative exponent gives the truncated quotient 1 / x^-y, and 0 for x == 0.
T power(T x, T y) {
  const bool odd = (y & T(1)) != T(0);
  if (y < T(0)) return x == T(1) ? x : x == T(-1) ? (odd ? x : T(1)) : T(0);
  T result = T(1);
  T square = x;
  for (U rest = U(y); rest != U(0); rest >>= 1) {  // iterations: bits of a word
    if ((rest & U(1)) != U(0)) result *= square;
    square *= square;
  }
  return result;
}

#elif COMPLEX_CLASS

#include "common/math/complex.glsl"

// 0^y is 0 when y has a positive real part, and NaN for other y except 0.
T power(T x, T y) {
  const T of_zero = y.x > R(0) ? T(0) : T(not_a_number());
  return y == T(0) ? unity() : x == T(0) ? of_zero : exp_of(mul(y, log_of(x)));
}

#else

#include "common/math/float_bits.glsl"
#include "common/math/pair.glsl"

#if WIDE_FLOATS
const M kRootOfHalf = 0x3FE6A09E667F3BCDul;
const T kThird[2] = T[2](0.3333333333333333lf, 1.850371707708594e-17lf);
const T kTwoOverLn2[2] = T[2](2.8853900817779268lf, 4.0710547481862066e-17lf);
const T kLn2Twice[2] = T[2](0.6931471805599453lf, 2.3190468138462996e-17lf);
const int kLogTerms = 12;
const int kExpTerms = 14;
const T kMaxExponent = 1200.0lf;
const T kMaxFactor = 1208925819614629174706176.0lf;  // 2^80: times log2(x) of any x but 1 it is out of range
#else
const M kRootOfHalf = 0x3F3504F3u;
const T kThird[2] = T[2](0.33333334, -9.9341078e-9);
const T kTwoOverLn2[2] = T[2](2.88539004, 3.85192607e-8);
const T kLn2Twice[2] = T[2](0.69314718, -1.90465421e-9);
const int kLogTerms = 5;
const int kExpTerms = 8;
const T kMaxExponent = 200.0;
const T kMaxFactor = 1099511627776.0;  // 2^40
#endif

// log2(x) in double-T arithmetic: x = 2^k m with m in [sqrt(1/2), sqrt(2)), and log m = 2 atanh(s) = 2 s (1 + s^2/3 + s^4/5 + ...) with
// s = (m - 1) / (m + 1).
Pair log2_twice(T x) {
  const M bits = bits_of(x);
  const int up = int(bits >> kMantissaBits) == 0 ? kMantissaBits - highest_bit(bits) : 0;
  const M normal = bits << up;
  const S k = S(normal - kRootOfHalf) >> kMantissaBits;
  const T m = from_bits(normal - (M(k) << kMantissaBits));

  const T f = m - T(1);
  const Pair d = sum_of(T(2), f);
  precise T s = f / d.high;
  const Pair back = product_of(s, d.high);
  precise T rest = ((f - back.high) - back.low) - s * d.low;
  const Pair ratio = Pair(s, rest / d.high);
  const Pair square = product_of(ratio, ratio);

  T series = T(0);
  [[unroll]] for (int i = kLogTerms - 1; i >= 0; --i) series = series * square.high + T(1) / T(2 * i + 5);
  const Pair start = sum_of(kThird[0], series * square.high);
  const Pair tail = product_of(square, Pair(start.high, start.low + kThird[1]));
  const Pair more = product_of(ratio, tail);
  const Pair atanh_s = sum_of(ratio.high, more.high);
  precise T low = atanh_s.low + (more.low + ratio.low);
  const Pair log2_m = product_of(Pair(atanh_s.high, low), Pair(kTwoOverLn2[0], kTwoOverLn2[1]));
  const Pair whole = sum_of(T(k - S(up)), log2_m.high);
  precise T whole_low = whole.low + log2_m.low;
  return sum_of(whole.high, whole_low);
}

T exp2_twice(Pair x) {
  const T n = floor(x.high + T(0.5));
  const Pair t = product_of(Pair(x.high - n, x.low), Pair(kLn2Twice[0], kLn2Twice[1]));
  T series = T(1);
  [[unroll]] for (int i = kExpTerms; i >= 3; --i) series = T(1) + t.high * (T(1) / T(i)) * series;
  precise T beyond_one = t.high + (t.low + t.high * t.high * (T(0.5) * series));
  precise T value = T(1) + beyond_one;
  return scaled(value, int(n));
}

T positive_power(T x, T y) {
  const Pair exponent = product_of(log2_twice(x), Pair(clamp(y, -kMaxFactor, kMaxFactor), T(0)));
  const bool inside = abs(exponent.high) < kMaxExponent;
  return exp2_twice(Pair(clamp(exponent.high, -kMaxExponent, kMaxExponent), inside ? exponent.low : T(0)));
}

T power(T x, T y) {
  if (y == T(0) || x == T(1)) return T(1);
  if (isnan(x) || isnan(y)) return x + y;
  const T magnitude = abs(x);
  const bool is_zero = bits_of(x) == sign_bit_of(x);
  const bool whole = floor(y) == y;
  const bool odd = whole && floor(y * T(0.5)) != y * T(0.5);
  T result;
  if (is_zero || isinf(magnitude)) {
    result = is_zero == y < T(0) ? infinity() : T(0);
  } else if (isinf(y)) {
    result = magnitude == T(1) ? T(1) : magnitude > T(1) == y > T(0) ? infinity() : T(0);
  } else {
    result = x < T(0) && !whole ? not_a_number() : positive_power(magnitude, y);
  }
  return odd && sign_bit_of(x) != M(0) ? -result : result;
}

#endif
