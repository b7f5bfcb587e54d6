// The error function and its inverse, the normal distribution and its inverse, lgamma and digamma of reals.

#ifndef ACLVK_MATH_SPECIAL
#define ACLVK_MATH_SPECIAL

#include "common/arithmetic.glsl"
#include "common/math/exponential.glsl"
#include "common/math/trigonometric.glsl"

// e^(-x * x * factor) for a factor of 1 or 1/2. The square is split into an exact high part and a low part, because the exponential
// multiplies the square's rounding error by x^2.
R exp_of_minus_square(R x, R factor) {
  const R high_digits = upper_half(x);
  precise R low_digits = x - high_digits;
  precise R low = -factor * low_digits * (R(2) * high_digits + low_digits);
  return exp_of(-factor * high_digits * high_digits) * (R(1) + (low + low * low * exp_polynomial(low)));
}

// erfcx: erfc(x) e^(x*x) for x >= 1/2. Times (1 + 2x) it is a smooth function of (x - 3) / (x + 3), which a polynomial approximates.
R scaled_erfc(R x) { return erfc_polynomial((x - R(3)) / (x + R(3))) / (R(1) + R(2) * x); }

R erfc_far(R x) { return exp_of_minus_square(x, R(1)) * scaled_erfc(x); }

R erf_near(R x) { return x * erf_polynomial(x * x); }

R erf_of(R x) {
  const R magnitude = abs(x);
  if (magnitude < R(1)) return erf_near(x);
  const R far = R(1) - erfc_far(min(magnitude, R(27)));
  return isnan(x) ? x : with_sign_of(far, x);
}

R erfc_of(R x) {
  if (abs(x) < R(0.5)) return R(1) - erf_near(x);
  const R far = erfc_far(min(abs(x), R(30)));
  return isnan(x) ? x : x < R(0) ? R(2) - far : far;
}

// Giles's single-precision approximation (2011), refined for double by three Newton steps.
R erfinv_of(R x) {
  const R magnitude = abs(x);
  const R inside = min(magnitude, R(1) - power_of_two(-int(kFloatDigits)));
  precise R product = (R(1) - inside) * (R(1) + inside);
  const R w = magnitude < R(0.5) ? -log1p_of(-inside * inside) : -log_of(product);
  const R middle = erfinv_middle_polynomial(w - R(2.5));
  const R tail = erfinv_tail_polynomial(sqrt(max(w, R(0))) - R(3));
  R y = (w < R(5) ? middle : tail) * inside;
#if WIDE_FLOATS
  for (int i = 0; i < 3; ++i) {
    const R error = inside < R(0.5) ? erf_of(y) - inside : (R(1) - inside) - erfc_of(y);
    y -= error * R(0.886226925452758013649lf) / exp_of_minus_square(y, R(1));
  }
#endif
  const R result = magnitude == R(1) ? infinity() : y;
  return magnitude > R(1) ? not_a_number() : isnan(x) || x == R(0) ? x : with_sign_of(result, x);
}

// The cumulative distribution function of the standard normal distribution: erfc(-x / sqrt(2)) / 2.
R normal_cdf_of(R x) {
  const R a = abs(x) * R(0.7071067811865475244008lf);
  if (a < R(0.5)) return R(0.5) + R(0.5) * with_sign_of(erf_near(a), x);
  const R bounded = min(abs(x), R(40));
  const R tail = R(0.5) * exp_of_minus_square(bounded, R(0.5)) * scaled_erfc(min(a, R(30)));
  return isnan(x) ? x : x < R(0) ? tail : R(1) - tail;
}

// The inverse of normal_cdf_of: Wichura's algorithm AS 241 (1988) in its single-precision form, three rational functions of x - 1/2 and of
// the square root of -log of the smaller tail. 1 - x is exact where it is used. The operators take no doubles, so that form is enough.
R ndtri_middle(R q) {
  const R r = R(0.180625lf) - q * q;
  const R above = ((R(59.10937472lf) * r + R(159.29113202lf)) * r + R(50.434271938lf)) * r + R(3.3871327179lf);
  const R below = ((R(67.1875636lf) * r + R(78.757757664lf)) * r + R(17.895169469lf)) * r + R(1);
  return q * (above / below);
}

R ndtri_tail(R root) {
  if (root <= R(5)) {
    const R r = root - R(1.6lf);
    const R above = ((R(0.17023821103lf) * r + R(1.3067284816lf)) * r + R(2.75681539lf)) * r + R(1.4234372777lf);
    return above / ((R(0.12021132975lf) * r + R(0.7370016425lf)) * r + R(1));
  }
  const R r = root - R(5);
  const R above = ((R(0.017337203997lf) * r + R(0.42868294337lf)) * r + R(3.081226386lf)) * r + R(6.6579051150lf);
  return above / ((R(0.012258202635lf) * r + R(0.24197894225lf)) * r + R(1));
}

R ndtri_of(R x) {
  const R tail = min(x, R(1) - x);
  if (isnan(x) || x < R(0) || x > R(1)) return not_a_number();
  if (tail == R(0)) return with_sign_of(infinity(), x - R(0.5));
  const R q = x - R(0.5);
  if (abs(q) <= R(0.425lf)) return ndtri_middle(q);
  return with_sign_of(ndtri_tail(sqrt(-log_of(tail))), q);
}

// lgamma for 0 < x < 8: the recurrence gamma(x + 1) = x gamma(x) reduces x to [1, 2].
R lgamma_small(R x) {
  if (x < R(0.5)) return x * (x - R(1)) * lgamma_high_polynomial(x - R(0.5)) - log_of(x);
  if (x < R(1)) return (x - R(1)) * lgamma_low_polynomial(x - R(1));
  R y = x;
  R product = R(1);
  for (int i = 0; i < 6; ++i) {
    if (y > R(2)) {
      y -= R(1);
      product *= y;
    }
  }
  const R near = (y - R(1)) * (y - R(2)) * lgamma_high_polynomial(y - R(1.5));
  return near + log_of(product);
}

// lgamma for x >= 8, by Stirling's series.
R lgamma_large(R x) {
  const R reciprocal = R(1) / x;
  const R rest = reciprocal * stirling_polynomial(reciprocal * reciprocal);
  return (x - R(0.5)) * (log_of(x) - R(1)) + (R(0.4189385332046727417803lf) + rest);
}

R lgamma_positive(R x) { return x < R(8) ? lgamma_small(x) : is_infinite(x) ? x : lgamma_large(x); }

// log |gamma(x)|, by the reflection formula for negative x.
R lgamma_of(R x) {
  const R magnitude = abs(x);
  const R positive = lgamma_positive(max(magnitude, power_of_two(-120)));
  if (isnan(x) || is_infinite(x)) return abs(x);
  if (magnitude < power_of_two(-int(kFloatDigits))) return -log_of(magnitude);
  if (x > R(0)) return positive;
  const bool pole = floor(x) == x;
  return pole ? infinity() : log_of(kPi / (magnitude * abs(sin_pi_of(x)))) - positive;
}

// digamma for x > 0: the recurrence moves x to 10 and more, then the asymptotic series.
R digamma_positive(R x) {
  R y = x;
  R sum = R(0);
  for (int i = 0; i < 10; ++i) {
    if (y < R(10)) {
      sum += R(1) / y;
      y += R(1);
    }
  }
  const R reciprocal = R(1) / y;
  const R square = reciprocal * reciprocal;
  return log_of(y) - R(0.5) * reciprocal - square * digamma_polynomial(square) - sum;
}

// digamma: -infinity at 0 (infinity at -0) and NaN at the other poles, as in PyTorch.
R digamma_of(R x) {
  if (isnan(x)) return x;
  if (x == R(0)) return is_negative(x) ? infinity() : -infinity();
  if (x > R(0)) return is_infinite(x) ? x : digamma_positive(x);
  const R rest = x - roundEven(x);
  const bool pole = rest == R(0) || is_infinite(x);
  return pole ? not_a_number() : digamma_positive(R(1) - x) - pi_cot_pi_of(x);
}

// sin(pi x) / (pi x)
R sinc_of(R x) { return x == R(0) ? R(1) : sin_pi_of(x) / (kPi * x); }

#endif
