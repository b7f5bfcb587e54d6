// Floats as bits, in the classes f32 and f64. M is the unsigned integer as wide as T, S the signed one.

#ifndef ACLVK_MATH_FLOAT_BITS
#define ACLVK_MATH_FLOAT_BITS

#include "common/math/real.glsl"

#if WIDE_FLOATS
#define M uint64_t
#define S int64_t
const int kMantissaBits = 52;
const int kSpareBits = 11;  // bits of M above a significand
const int kExponents = 0x7FF;
M bits_of(T x) { return packUint2x32(unpackDouble2x32(x)); }
T from_bits(M bits) { return packDouble2x32(unpackUint2x32(bits)); }
int highest_bit(M value) {
  const uvec2 words = unpackUint2x32(value);
  return words.y != 0u ? 32 + findMSB(words.y) : findMSB(words.x);
}
#else
#define M uint
#define S int
const int kMantissaBits = 23;
const int kSpareBits = 8;
const int kExponents = 0xFF;
M bits_of(T x) { return floatBitsToUint(x); }
T from_bits(M bits) { return uintBitsToFloat(bits); }
int highest_bit(M value) { return findMSB(value); }
#endif

M sign_bit_of(T x) { return bits_of(x) & M(1) << kMantissaBits + kSpareBits; }

#endif
