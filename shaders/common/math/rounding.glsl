// Whole numbers near a value, and what kind of value it is, for integers and reals: T is one of them.

#ifndef ACLVK_MATH_ROUNDING
#define ACLVK_MATH_ROUNDING

#include "common/arithmetic.glsl"

#if INTEGER_CLASS

T floor_of(T x) { return x; }
T ceil_of(T x) { return x; }
T round_of(T x) { return x; }
T trunc_of(T x) { return x; }
T round_behind_point(T x, T unit) { return x; }

// To a multiple of `unit`, half to even; 0 stands for a unit that the type does not hold.
T round_before_point(T x, T unit) {
  const T quotient = div_floor(x, unit);
  const T rest = x - quotient * unit;
  const bool up = rest > unit - rest || (rest == unit - rest && (quotient & T(1)) != T(0));
  return (up ? quotient + T(1) : quotient) * unit;
}

T bits_not_of(T x) { return kPromoted == kBool ? T(x == T(0)) : ~x; }
bool is_nan(T x) { return false; }
bool is_infinite(T x) { return false; }
bool is_negative(T x) { return x < T(0) && kPromoted != kUint32 && kPromoted != kUint64; }

#else

#include "common/math/real.glsl"

T floor_of(T x) { return floor(x); }
T ceil_of(T x) { return ceil(x); }
T round_of(T x) { return roundEven(x); }
T trunc_of(T x) { return trunc(x); }
T round_before_point(T x, T unit) { return roundEven(x / unit) * unit; }
T round_behind_point(T x, T unit) { return roundEven(x * unit) / unit; }
T bits_not_of(T x) { return x; }  // no operator asks
bool is_nan(T x) { return isnan(x); }

#endif
#endif
