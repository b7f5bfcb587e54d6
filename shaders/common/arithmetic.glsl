// The functions of which the expressions in operator tables consist, for each compute class. `precise` keeps drivers from contracting a
// product and a sum into an fma.

#ifndef ACLVK_ARITHMETIC
#define ACLVK_ARITHMETIC

T add(T x, T y) {
  precise T sum = x + y;
  return sum;
}

T sub(T x, T y) {
  precise T difference = x - y;
  return difference;
}

#if INTEGER_CLASS

T mul(T x, T y) { return x * y; }

// Division by zero gives 0, and the lowest value divided by -1 wraps. GLSL leaves both undefined, and CPUs trap.
T div_trunc(T x, T y) {
  const bool plain = y != T(0) && y != T(-1);
  const T quotient = x / (plain ? y : T(1));
  return y == T(0) ? T(0) : plain ? quotient : T(0) - x;
}

T div_floor(T x, T y) {
  const T quotient = div_trunc(x, y);
  const bool inexact = quotient * y != x;
  return y != T(0) && inexact && (x < T(0)) != (y < T(0)) ? quotient - T(1) : quotient;
}

T div(T x, T y) { return div_trunc(x, y); }
T maximum(T x, T y) { return x > y ? x : y; }
T minimum(T x, T y) { return x < y ? x : y; }

#elif COMPLEX_CLASS

T mul(T x, T y) {
  precise T product = T(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
  return product;
}

// Smith's method (1962): scales by the larger part of y, so that no square overflows.
T div(T x, T y) {
  precise T quotient;
  if (abs(y.x) >= abs(y.y)) {
    precise R ratio = y.x == R(0) && y.y == R(0) ? R(0) : y.y / y.x;
    precise R scale = y.x + y.y * ratio;
    quotient = T((x.x + x.y * ratio) / scale, (x.y - x.x * ratio) / scale);
  } else {
    precise R ratio = y.x / y.y;
    precise R scale = y.x * ratio + y.y;
    quotient = T((x.x * ratio + x.y) / scale, (x.y * ratio - x.x) / scale);
  }
  return quotient;
}

// Never called: operators refuse complex numbers, which have no order.
T div_trunc(T x, T y) { return x; }
T div_floor(T x, T y) { return x; }
T maximum(T x, T y) { return x; }
T minimum(T x, T y) { return x; }

#else

T mul(T x, T y) {
  precise T product = x * y;
  return product;
}

T div(T x, T y) {
  precise T quotient = x / y;
  return quotient;
}

T div_trunc(T x, T y) { return trunc(div(x, y)); }

// The upper half of a value's significand (Veltkamp splitting), so that products of halves are exact.
T upper_half(T value) {
#if WIDE_FLOATS
  precise T scaled = value * T(134217729.0);
#else
  precise T scaled = value * T(4097.0);
#endif
  precise T half_digits = scaled - (scaled - value);
  return half_digits;
}

// x - quotient * y with an exact product (Dekker 1971): not every driver fuses fma(), and the sign of the result matters.
T remainder_of(T x, T quotient, T y) {
  const T q1 = upper_half(quotient);
  const T y1 = upper_half(y);
  precise T q2 = quotient - q1;
  precise T y2 = y - y1;
  precise T product = quotient * y;
  precise T error = ((q1 * y1 - product) + q1 * y2 + q2 * y1) + q2 * y2;
  precise T rest = (x - product) - error;
  return rest;
}

// The floor of the quotient that IEEE 754 rounds to nearest: 1 / 0.1 gives 10, although the exact quotient is less. Vulkan allows
// a quotient to be 2.5 units in the last place off, which the remainder corrects. The remainder of an infinity or of a huge
// quotient is NaN and corrects nothing.
T div_floor(T x, T y) {
  const T quotient = div(x, y);
  precise T corrected = quotient + remainder_of(x, quotient, y) / y;
  return floor(isnan(corrected) || isinf(corrected) ? quotient : corrected);
}

// Both propagate NaN.
T maximum(T x, T y) { return isnan(x) || x > y ? x : y; }
T minimum(T x, T y) { return isnan(x) || x < y ? x : y; }

#endif

#endif
