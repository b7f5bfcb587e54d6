// Remainders of divisions: modulo() has the sign of x (C's fmod), modulo_floor() that of y (Python's %). Exact for every quotient.

#if INTEGER_CLASS

// y == 0 gives x, because div_trunc() returns 0.
T modulo(T x, T y) { return x - div_trunc(x, y) * y; }

#elif COMPLEX_CLASS

// Never called: operators refuse complex numbers.
T modulo(T x, T y) { return x; }

#else

#include "common/math/float_bits.glsl"

// A finite number as mantissa * 2^exponent. Bit operations keep denormals, which a driver may flush in arithmetic.
int exponent_of(M magnitude) { return max(int(magnitude >> kMantissaBits), 1); }
M mantissa_of(M magnitude) {
  const M hidden = M(1) << kMantissaBits;
  return (magnitude & hidden - M(1)) | (int(magnitude >> kMantissaBits) == 0 ? M(0) : hidden);
}

// The bits of the float mantissa * 2^exponent, with the exponent biased as in the bits of a float. The mantissa may have any width.
M assemble(M mantissa, int exponent) {
  if (mantissa == M(0)) return M(0);
  const int up = min(kMantissaBits - highest_bit(mantissa), exponent - 1);
  const M moved = mantissa << up;
  const M hidden = M(1) << kMantissaBits;
  return (moved & hidden) == M(0) ? moved : M(exponent - up) << kMantissaBits | moved & hidden - M(1);
}

// Long division that takes kSpareBits bits a step.
T modulo(T x, T y) {
  const M sign = sign_bit_of(x);
  const M dividend = bits_of(x) ^ sign;
  const M divisor = bits_of(y) ^ sign_bit_of(y);
  const M infinity = M(kExponents) << kMantissaBits;
  if (dividend >= infinity || divisor > infinity || divisor == M(0)) return not_a_number();
  if (dividend < divisor) return x;
  const M step = mantissa_of(divisor);
  M rest = mantissa_of(dividend) % step;
  int distance = exponent_of(dividend) - exponent_of(divisor);
  while (distance > 0 && rest != M(0)) {  // iterations: at most 2046 bits of exponents, some at once
    const int bits = min(distance, kSpareBits);
    rest = (rest << bits) % step;
    distance -= bits;
  }
  return from_bits(sign | assemble(rest, exponent_of(divisor)));
}

#endif

T modulo_floor(T x, T y) {
  const T rest = modulo(x, y);
  return rest != T(0) && less(rest, T(0)) != less(y, T(0)) ? rest + y : rest;
}
