// The base of the math functions: sign, exponent and significand of a real number R (float, or double when WIDE_FLOATS is 1). Vulkan's
// built-in functions are too inaccurate (2^-11 for sin) or, for double, missing. These use +, -, *, /, sqrt, rounding and bit operations
// only. Constants are written as doubles; the compiler rounds them to R.

#ifndef ACLVK_MATH_REAL
#define ACLVK_MATH_REAL

#include "common/math/polynomials.glsl"

#if WIDE_FLOATS
const uint kFloatDigits = 53;
R not_a_number() { return packDouble2x32(uvec2(0u, 0x7FF80000u)); }
R infinity() { return packDouble2x32(uvec2(0u, 0x7FF00000u)); }
bool is_negative(R x) { return unpackDouble2x32(x).y >> 31 != 0u; }
R power_of_two(int n) { return packDouble2x32(uvec2(0u, uint(n + 1023) << 20)); }
#else
const uint kFloatDigits = 24;
R not_a_number() { return uintBitsToFloat(0x7FC00000u); }
R infinity() { return uintBitsToFloat(0x7F800000u); }
bool is_negative(R x) { return floatBitsToUint(x) >> 31 != 0u; }
R power_of_two(int n) { return uintBitsToFloat(uint(n + 127) << 23); }
#endif

// Copies the sign, also of zeros.
R with_sign_of(R magnitude, R sign) { return is_negative(sign) ? -magnitude : magnitude; }

bool is_infinite(R x) { return abs(x) == infinity(); }

// x * 2^n in two steps, because 2^n may be out of range (ldexp).
R scaled(R x, int n) {
  const int first = n >> 1;
  precise R result = x * power_of_two(first) * power_of_two(n - first);
  return result;
}

// Splits a positive, finite x into significand * 2^exponent, with the significand in [sqrt(1/2), sqrt(2)).
R significand_of(R x, out int exponent) {
#if WIDE_FLOATS
  uvec2 bits = unpackDouble2x32(x);
  const bool denormal = bits.y < 0x100000u;
  if (denormal) bits = unpackDouble2x32(R(bits.y) * 4294967296.0lf + R(bits.x));
  const uint shifted = bits.y + (0x3FF00000u - 0x3FE6A09Eu);
  exponent = int(shifted >> 20) - 1023 - (denormal ? 1074 : 0);
  return packDouble2x32(uvec2(bits.x, (shifted & 0xFFFFFu) + 0x3FE6A09Eu));
#else
  uint bits = floatBitsToUint(x);
  const bool denormal = bits < 0x800000u;
  if (denormal) bits = floatBitsToUint(float(bits));
  const uint shifted = bits + (0x3F800000u - 0x3F3504F3u);
  exponent = int(shifted >> 23) - 127 - (denormal ? 149 : 0);
  return uintBitsToFloat((shifted & 0x7FFFFFu) + 0x3F3504F3u);
#endif
}

#endif
