// Rounding to integers, and classification of values, for integers and reals.

#ifndef ACLVK_MATH_ROUNDING
#define ACLVK_MATH_ROUNDING

#include "common/arithmetic.glsl"

#if COMPLEX_CLASS

T rounded_by(T x, T mode) { return x; }  // never called

#else
#if INTEGER_CLASS

T floor_of(T x) { return x; }
T ceil_of(T x) { return x; }
T round_of(T x) { return x; }
T trunc_of(T x) { return x; }
T round_decimals(T x, T unit) { return x; }

// Rounds to a multiple of `unit`, half to even. The unit is 0 when it does not fit into T.
T round_powers_of_ten(T x, T unit) {
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
T round_powers_of_ten(T x, T unit) { return roundEven(x / unit) * unit; }
T round_decimals(T x, T unit) { return roundEven(x * unit) / unit; }
T bits_not_of(T x) { return x; }  // never called
bool is_nan(T x) { return isnan(x); }

#endif

// Rounds half away from zero.
T round_away(T x) {
  const T towards_zero = trunc_of(x);
  const T rest = sub(x, towards_zero);
  return rest + rest >= T(1) ? towards_zero + T(1) : rest + rest <= T(-1) ? towards_zero - T(1) : towards_zero;
}

// Rounds numbers between two integers to the odd one.
T round_to_odd(T x) {
  const T below = floor_of(x);
  const T half_of_below = below / T(2);
  return below == x || floor_of(half_of_below) != half_of_below ? below : below + T(1);
}

// Modes: 1 half to even, 2 down, 3 up, 4 half away from zero, 5 towards zero, 6 to odd, 7 the fractional part. Returns x for others.
T rounded_by(T x, T mode) {
  return mode == T(1)   ? round_of(x)
         : mode == T(2) ? floor_of(x)
         : mode == T(3) ? ceil_of(x)
         : mode == T(4) ? round_away(x)
         : mode == T(5) ? trunc_of(x)
         : mode == T(6) ? round_to_odd(x)
         : mode == T(7) ? sub(x, trunc_of(x))
                        : x;
}

#endif
#endif
