// Exponentials, logarithms, hyperbolic and related functions of reals. Errors are at most about two units in the last place; NaN gives
// NaN.

#ifndef ACLVK_MATH_EXPONENTIAL
#define ACLVK_MATH_EXPONENTIAL

#include "common/math/real.glsl"

#if WIDE_FLOATS
const R kLn2High = 0.693147180559890330187045037746lf;
const R kLn2Low = 5.49792301870837115524202068871e-14lf;
const R kLog10Of2High = 0.30102999566395283181918784976lf;
const R kLog10Of2Low = 2.83633945510449641543183546934e-14lf;
const R kExpLowest = -746.0lf;
const R kExpLeast = -746.0lf;  // its exponential rounds to 0
const R kExpHighest = 711.0lf;  // half of its exponential is infinite, too
const R kExpHigh = 700.0lf;  // exponentials of smaller arguments are finite
const R kExp2Lowest = -1076.0lf;
const R kExp2Highest = 1025.0lf;
const R kSquareHighest = 1.0e150lf;  // squares of smaller numbers are finite, and adding 1 to its square changes nothing
#else
const R kLn2High = R(0.693145751953125lf);
const R kLn2Low = R(1.428606765330187045e-6lf);
const R kLog10Of2High = R(0.301025390625lf);
const R kLog10Of2Low = R(4.6050390665186569095e-6lf);
const R kExpLowest = -105.0;
const R kExpLeast = -104.0;
const R kExpHighest = 90.0;
const R kExpHigh = 80.0;
const R kExp2Lowest = -152.0;
const R kExp2Highest = 129.0;
const R kSquareHighest = R(1.0e18lf);
#endif
const R kLn2 = R(0.6931471805599453094172lf);
const R kLog2E = R(1.44269504088896340736lf);
const R kLog10E = R(0.4342944819032518276511lf);

// e^x = (1 + result) * 2^power, by Cody-Waite reduction with ln 2 in two parts and a polynomial.
R exp_fraction(R x, out int power) {
  const R bounded = isnan(x) ? R(0) : clamp(x, kExpLowest, kExpHighest);
  const R n = roundEven(bounded * kLog2E);
  precise R rest = bounded - n * kLn2High - n * kLn2Low;
  power = int(n);
  return rest + rest * rest * exp_polynomial(rest);
}

R exp_of(R x) {
  int power;
  const R fraction = exp_fraction(x, power);
  return isnan(x) ? x : scaled(R(1) + fraction, power);
}

// e^x for x <= 0, a faster version for softmax: large x are not clamped. Computes 2^24 (2^54) times the result first, which is normal,
// so that a subnormal result is rounded once.
#if WIDE_FLOATS
R exp_below(R x) {
  const R bounded = x < kExpLeast ? kExpLeast : x;  // keeps NaN
  const R n = roundEven(bounded * kLog2E);
  const R rest = fma(-n, kLn2Low, fma(-n, kLn2High, bounded));
  return (R(1) + fma(rest * rest, exp_polynomial(rest), rest)) * power_of_two(int(n) + 54) * R(5.5511151231257827e-17lf);
}
#else
// Adding 1.5 * 2^23 rounds to an integer in the lowest mantissa bits; with 127 + 24 more these are the exponent of 2^(n + 24). The
// minimax polynomial of degree 6 has a relative error of 3.1e-9; the result's error is at most 1.15 units in the last place. When
// SwiftShader unrolls a loop, its copies lose `precise`, and (x + c) - c becomes x; the conversion to bits in between prevents it.
R exp_below(R x) {
  const R bounded = x < kExpLeast ? kExpLeast : x;  // keeps NaN
  precise const R shifted = bounded * kLog2E + R(12583063.0);
  const uint bits = floatBitsToUint(shifted);
  precise const R n = uintBitsToFloat(bits) - R(12583063.0);
  const R rest = fma(-n, kLn2Low, fma(-n, kLn2High, bounded));
  R power = fma(R(1.38145401768e-3lf), rest, R(8.36874510894e-3lf));
  power = fma(power, rest, R(0.0416683907835lf));
  power = fma(power, rest, R(0.16666520399lf));
  power = fma(power, rest, R(0.499999934321lf));
  power = fma(power, rest, R(1));
  return fma(power, rest, R(1)) * uintBitsToFloat(bits << 23) * R(5.9604644775390625e-8);
}
#endif

R exp2_of(R x) {
  const R bounded = isnan(x) ? R(0) : clamp(x, kExp2Lowest, kExp2Highest);
  const R n = roundEven(bounded);
  const R rest = (bounded - n) * kLn2;
  return isnan(x) ? x : scaled(R(1) + (rest + rest * rest * exp_polynomial(rest)), int(n));
}

// e^x - 1, without cancellation near 0.
R expm1_of(R x) {
  int power;
  const R fraction = exp_fraction(x, power);
  const bool large = power > 60;
  const R scale = power_of_two(clamp(power, -64, 60));
  precise R sum = scale * fraction + (scale - R(1));
  const R result = large ? scaled(R(1) + fraction, power) : power == 0 ? fraction : sum;
  return isnan(x) || x == R(0) ? x : result;
}

// log(x * (1 + correction)) - exponent * ln 2, for positive, finite x.
R log_fraction(R x, R correction, out int exponent) {
  precise R f = significand_of(x, exponent) - R(1);
  const R s = f / (R(2) + f);
  const R u = s * s;
  const R half_square = R(0.5) * f * f;
  precise R low = s * (half_square + u * log_polynomial(u)) + correction;
  precise R result = f - (half_square - low);
  return result;
}

R log_near(R x, R correction) {
  int exponent;
  const R fraction = log_fraction(x, correction, exponent);
  precise R result = R(exponent) * kLn2High + (fraction + R(exponent) * kLn2Low);
  return result;
}

// The logarithm of 0, of negative numbers, of infinity and of NaN; `result` for other x.
R log_or_special(R x, R result) {
  return x == R(0)             ? -infinity()
         : x > R(0) && !is_infinite(x) ? result
         : x < R(0)            ? not_a_number()
                               : x;
}

R ordinary(R x) { return x > R(0) && !is_infinite(x) ? x : R(1); }

R log_of(R x) { return log_or_special(x, log_near(ordinary(x), R(0))); }

R log2_of(R x) {
  int exponent;
  const R fraction = log_fraction(ordinary(x), R(0), exponent);
  precise R result = R(exponent) + fraction * kLog2E;
  return log_or_special(x, result);
}

R log10_of(R x) {
  int exponent;
  const R fraction = log_fraction(ordinary(x), R(0), exponent);
  precise R result = R(exponent) * kLog10Of2High + (R(exponent) * kLog10Of2Low + fraction * kLog10E);
  return log_or_special(x, result);
}

// log(1 + x). The rounding error of the sum is passed as a correction.
R log1p_of(R x) {
  precise R sum = R(1) + x;
  precise R lost = sum > R(2) ? R(1) - (sum - x) : x - (sum - R(1));
  const R safe = ordinary(sum);
  return x == R(0) ? x : log_or_special(sum, log_near(safe, sum == safe ? lost / sum : R(0)));
}

R tanh_of(R x) {
  const R magnitude = min(abs(x), R(24));
  const R t = expm1_of(R(2) * magnitude);
  const R result = magnitude < R(0.5) ? t / (t + R(2)) : R(1) - R(2) / (t + R(2));
  return isnan(x) ? x : with_sign_of(result, x);
}

// e^|x| / 2, which may be finite when e^|x| is not.
R half_exp(R magnitude) {
  int power;
  const R fraction = exp_fraction(magnitude, power);
  return scaled(R(1) + fraction, power - 1);
}

R sinh_of(R x) {
  const R magnitude = abs(x);
  const R t = expm1_of(min(magnitude, R(1)));
  const R e = half_exp(magnitude);
  const R result = magnitude < R(1) ? R(0.5) * (t + t / (t + R(1))) : e - R(0.25) / e;
  return isnan(x) ? x : with_sign_of(result, x);
}

R cosh_of(R x) {
  const R e = half_exp(abs(x));
  return isnan(x) ? x : e + R(0.25) / e;
}

R asinh_of(R x) {
  const R magnitude = abs(x);
  const R a = min(magnitude, kSquareHighest);
  const R near = log1p_of(a + a * a / (R(1) + sqrt(R(1) + a * a)));
  const R result = magnitude > kSquareHighest ? log_of(magnitude) + kLn2 : near;
  return isnan(x) ? x : with_sign_of(result, x);
}

R acosh_of(R x) {
  const R t = min(x, kSquareHighest) - R(1);
  const R near = log1p_of(t + sqrt(R(2) * t + t * t));
  const R result = x > kSquareHighest ? log_of(x) + kLn2 : near;
  return x < R(1) ? not_a_number() : isnan(x) ? x : result;
}

R atanh_of(R x) {
  const R magnitude = abs(x);
  const R result = R(0.5) * log1p_of(R(2) * magnitude / (R(1) - magnitude));
  return magnitude > R(1) ? not_a_number() : isnan(x) ? x : with_sign_of(magnitude == R(1) ? infinity() : result, x);
}

// 1 / (1 + e^-x)
R sigmoid_of(R x) {
  const R e = exp_of(-abs(x));
  return (x < R(0) ? e : R(1)) / (R(1) + e);
}

// log(1 + e^x)
R softplus_of(R x) { return isnan(x) ? x : max(x, R(0)) + log1p_of(exp_of(-abs(x))); }

#endif
