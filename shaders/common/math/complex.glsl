// What complex numbers have of the functions in exponential.glsl and trigonometric.glsl, and the few whose real form would
// otherwise be a built-in. T is R or C.

#ifndef ACLVK_MATH_COMPLEX
#define ACLVK_MATH_COMPLEX

#include "common/arithmetic.glsl"
#include "common/math/exponential.glsl"
#include "common/math/trigonometric.glsl"

#if COMPLEX_CLASS

// |z| without the overflow of a square.
R magnitude_of(C z) {
  const C parts = abs(z);
  const R larger = max(parts.x, parts.y);
  const R ratio = larger == R(0) ? R(0) : min(parts.x, parts.y) / larger;
  const bool infinite = is_infinite(z.x) || is_infinite(z.y);
  return infinite ? infinity() : isnan(z.x) || isnan(z.y) ? not_a_number() : larger * sqrt(R(1) + ratio * ratio);
}

R angle_of(C z) { return atan2_of(z.y, z.x); }

// r * (cos(angle) + i sin(angle)); an angle of 0 leaves infinities alone.
C polar_of(R r, R angle) {
  const SineCosine both = sin_cos_of(angle);
  return C(r * both.cosine, angle == R(0) ? angle : r * both.sine);
}

C exp_of(C z) { return polar_of(exp_of(z.x), z.y); }

// log |z|, exact where |z| is near 1.
R log_magnitude_of(C z) {
  const C parts = abs(z);
  const R larger = max(parts.x, parts.y);
  const R smaller = min(parts.x, parts.y);
  precise R beyond = (larger - R(1)) * (larger + R(1)) + smaller * smaller;
  const bool near = larger > R(0.5) && larger < R(2);
  return near ? R(0.5) * log1p_of(beyond) : log_of(magnitude_of(z));
}

C log_of(C z) { return C(log_magnitude_of(z), angle_of(z)); }
C log2_of(C z) { return kLog2E * log_of(z); }
C log10_of(C z) { return kLog10E * log_of(z); }

C sinh_of(C z) {
  const SineCosine both = sin_cos_of(z.y);
  return C(sinh_of(z.x) * both.cosine, z.y == R(0) ? z.y : cosh_of(z.x) * both.sine);
}

C sin_of(C z) {
  const C turned = sinh_of(C(-z.y, z.x));
  return C(turned.y, -turned.x);
}

C cos_of(C z) {
  const SineCosine both = sin_cos_of(z.x);
  // A sine of 0 leaves infinities alone.
  const R height = z.y == R(0) ? z.y : z.x == R(0) ? with_sign_of(R(1), z.y) : sinh_of(z.y);
  return C(both.cosine * cosh_of(z.y), -both.sine * height);
}

// With s and c of x, and h = sinh y: (s c + i h cosh y) / (c^2 + h^2). Far from the real axis it is i or -i.
C tan_of(C z) {
  const SineCosine both = sin_cos_of(z.x);
  const R near = isnan(z.y) ? z.y : clamp(z.y, R(-20), R(20));
  const R h = sinh_of(near);
  const R below = both.cosine * both.cosine + h * h;
  const R decay = R(4) * exp_of(R(-2) * abs(z.y));
  return abs(z.y) > R(20) ? C(both.sine * both.cosine * decay, with_sign_of(R(1), z.y))
                          : C(both.sine * both.cosine / below, h * cosh_of(near) / below);
}

// The root with a real part that is not negative.
C sqrt_of(C z) {
  const bool huge = max(abs(z.x), abs(z.y)) > R(1.0e18);
  const C small = huge ? z * R(0.0625) : z;
  const R half_sum = R(0.5) * (abs(small.x) + magnitude_of(small));
  const R root = sqrt(half_sum) * (huge ? R(4) : R(1));
  const R other = root == R(0) ? R(0) : R(0.5) * abs(z.y) / root;
  const C result = z.x < R(0) ? C(other, with_sign_of(root, z.y)) : C(root, with_sign_of(other, z.y));
  return is_infinite(z.y) ? C(infinity(), z.y) : is_infinite(z.x) && z.x > R(0) ? C(infinity(), with_sign_of(R(0), z.y)) : result;
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
