// Complex overloads of the functions in exponential.glsl and trigonometric.glsl, and functions that both real and complex operators use.
// T is R or C.

#ifndef ACLVK_MATH_COMPLEX
#define ACLVK_MATH_COMPLEX

#include "common/arithmetic.glsl"
#include "common/math/exponential.glsl"
#include "common/math/trigonometric.glsl"

#if COMPLEX_CLASS

// |z|, scaled by the larger part so that no square overflows (hypot).
R magnitude_of(C z) {
  const C parts = abs(z);
  const R larger = max(parts.x, parts.y);
  const R ratio = larger == R(0) ? R(0) : min(parts.x, parts.y) / larger;
  const bool infinite = is_infinite(z.x) || is_infinite(z.y);
  return infinite ? infinity() : isnan(z.x) || isnan(z.y) ? not_a_number() : larger * sqrt(R(1) + ratio * ratio);
}

R angle_of(C z) { return atan2_of(z.y, z.x); }

// r * (cos(angle) + i sin(angle)). For an angle of 0 the imaginary part is 0, even for infinite r.
C polar_of(R r, R angle) {
  const SineCosine both = sin_cos_of(angle);
  return C(r * both.cosine, angle == R(0) ? angle : r * both.sine);
}

// e^x of a large x is computed as the square of e^(x/2), one factor of which is multiplied after the cosine: the result may be finite
// when e^x is not.
C exp_of(C z) {
  const SineCosine both = sin_cos_of(z.y);
  const bool high = z.x > kExpHigh;
  const R root = exp_of(high ? R(0.5) * z.x : z.x);
  const R other = high ? root : R(1);
  return C(root * both.cosine * other, z.y == R(0) ? z.y : root * both.sine * other);
}

// log |z|. Near |z| = 1 it is log1p(|z|^2 - 1) / 2, with |z|^2 - 1 computed without cancellation; |z| itself may overflow.
R log_magnitude_of(C z) {
  const C parts = abs(z);
  const R larger = max(parts.x, parts.y);
  const R smaller = min(parts.x, parts.y);
  const R ratio = smaller / larger;
  precise R beyond = (larger - R(1)) * (larger + R(1)) + smaller * smaller;
  const bool near = larger > R(0.5) && larger < R(2);
  const R rest = R(0.5) * log1p_of(near ? beyond : ratio * ratio);
  const R result = larger == R(0) ? -infinity() : near ? rest : log_of(larger) + rest;
  const bool infinite = is_infinite(z.x) || is_infinite(z.y);
  return infinite ? infinity() : isnan(z.x) || isnan(z.y) ? not_a_number() : result;
}

C log_of(C z) { return C(log_magnitude_of(z), angle_of(z)); }
C log2_of(C z) { return kLog2E * log_of(z); }
C log10_of(C z) { return kLog10E * log_of(z); }

// For large x: sinh x = 2 sinh(x/2) cosh(x/2), and cosh x rounds to 2 cosh(x/2)^2; neither factor overflows. When the sine and cosine are
// NaN (infinite imaginary part), a real part of 0 or infinity stays as it is.
C sinh_of(C z) {
  const SineCosine both = sin_cos_of(z.y);
  const bool high = abs(z.x) > kExpHigh;
  const R x = high ? R(0.5) * z.x : z.x;
  const R height = cosh_of(x);
  const R other = high ? R(2) * height : R(1);
  const bool stays = isnan(both.cosine) && (z.x == R(0) || is_infinite(z.x));
  return C(stays ? z.x : sinh_of(x) * both.cosine * other, z.y == R(0) ? z.y : height * both.sine * other);
}

C sin_of(C z) {
  const C swapped = sinh_of(C(-z.y, z.x));
  return C(swapped.y, -swapped.x);
}

C cos_of(C z) {
  const SineCosine both = sin_cos_of(z.x);
  const bool high = abs(z.y) > kExpHigh;
  const R y = high ? R(0.5) * z.y : z.y;
  const R height = cosh_of(y);
  const R other = high ? R(2) * height : R(1);
  const bool has_angle = !isnan(both.cosine);
  const R real = !has_angle && is_infinite(z.y) ? infinity() : both.cosine * height * other;
  // A factor of 0 gives 0, even when the other one is infinite or NaN.
  const R imaginary = z.y == R(0)   ? -z.y * (has_angle ? both.sine : R(1))
                      : z.x == R(0) ? -z.x * with_sign_of(R(1), z.y)
                                    : -both.sine * sinh_of(y) * other;
  return C(real, imaginary);
}

// (s c + i h cosh y) / (c^2 + h^2) with s = sin x, c = cos x, h = sinh y. For large |y| it is i or -i.
C tan_of(C z) {
  const SineCosine both = sin_cos_of(z.x);
  const R near = isnan(z.y) ? z.y : clamp(z.y, R(-20), R(20));
  const R h = sinh_of(near);
  const R below = both.cosine * both.cosine + h * h;
  const R decay = R(4) * exp_of(R(-2) * abs(z.y));
  const R product = both.sine * both.cosine;
  if (is_infinite(z.y)) return C(isnan(product) ? R(0) : with_sign_of(R(0), product), with_sign_of(R(1), z.y));
  if (isnan(product)) return C(product, z.y == R(0) ? z.y : product);
  const R real = z.x == R(0) ? z.x : product / below;
  return abs(z.y) > R(20) ? C(product * decay, with_sign_of(R(1), z.y)) : C(real, h * cosh_of(near) / below);
}

// The principal square root.
C sqrt_of(C z) {
  const bool huge = max(abs(z.x), abs(z.y)) > R(1.0e18);
  const C small = huge ? z * R(0.0625) : z;
  const R half_sum = R(0.5) * (abs(small.x) + magnitude_of(small));
  const R root = sqrt(half_sum) * (huge ? R(4) : R(1));
  const R other = root == R(0) ? R(0) : R(0.5) * abs(z.y) / root;
  const C result = z.x < R(0) ? C(other, with_sign_of(root, z.y)) : C(root, with_sign_of(other, z.y));
  const bool is_positive_infinity = is_infinite(z.x) && z.x > R(0) && !isnan(z.y);
  return is_infinite(z.y) ? C(infinity(), z.y) : is_positive_infinity ? C(infinity(), with_sign_of(R(0), z.y)) : result;
}

C sigmoid_of(C z) {
  const bool left = z.x < R(0);
  const C e = exp_of(left ? z : -z);
  return div(left ? e : C(1, 0), C(R(1) + e.x, e.y));
}

T one() { return C(1, 0); }
T neg_of(T z) { return -z; }
T abs_of(T z) { return C(magnitude_of(z), R(0)); }
T sign_of(T z) {
  const R magnitude = magnitude_of(z);
  return magnitude == R(0) ? C(0) : z / magnitude;
}

#else

T one() { return T(1); }
T neg_of(T x) { return -x; }
T abs_of(T x) { return abs(x); }
T sign_of(T x) { return x > T(0) ? T(1) : x < T(0) ? T(-1) : T(0); }
R sqrt_of(R x) { return sqrt(x); }
R angle_of(R x) { return isnan(x) ? x : x < R(0) ? kPi : R(0); }

#endif
#endif
