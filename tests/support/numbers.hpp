#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>

#include "acl/acl_base.h"

namespace aclvk::test {

// Element types on the host, for references: written without code of src/ops and shaders/, in long double and 128-bit
// integers.

/// Any element of any dtype, exactly: a long double holds every int64, uint64 and double.
using Real = long double;
using Number = std::complex<Real>;
__extension__ using Wide = __int128;  ///< holds every product of two integers

inline bool is_complex(aclDataType type) {
  return type == ACL_COMPLEX32 || type == ACL_COMPLEX64 || type == ACL_COMPLEX128;
}
inline bool is_float8(aclDataType type) { return type == ACL_FLOAT8_E4M3FN || type == ACL_FLOAT8_E5M2; }
/// 8-bit floats that no operator rounds to: tests use exact values only.
inline bool is_exact_float8(aclDataType type) { return type == ACL_FLOAT8_E8M0 || type == ACL_HIFLOAT8; }
inline bool is_floating(aclDataType type) {
  return is_float8(type) || is_exact_float8(type) || type == ACL_FLOAT || type == ACL_FLOAT16 || type == ACL_BF16 ||
         type == ACL_DOUBLE;
}
inline bool is_integer(aclDataType type) { return !is_complex(type) && !is_floating(type); }  // bool too

/// Bits, and whether the type has a sign, of an integer type.
struct IntegerFacts {
  int bits;
  bool is_signed;
};
inline IntegerFacts facts_of(aclDataType type) {
  switch (type) {
    case ACL_INT8: return {8, true};
    case ACL_UINT8: return {8, false};
    case ACL_INT16: return {16, true};
    case ACL_UINT16: return {16, false};
    case ACL_INT32: return {32, true};
    case ACL_UINT32: return {32, false};
    case ACL_INT64: return {64, true};
    case ACL_UINT64: return {64, false};
    default: return {1, false};
  }
}

/// Wraps an exact integer to the type, in two's complement.
inline Real wrap(Wide value, aclDataType type) {
  if (type == ACL_BOOL) return value != 0;
  const auto [bits, is_signed] = facts_of(type);
  const Wide span = static_cast<Wide>(1) << bits;
  Wide rest = value % span;
  if (rest < 0) rest += span;
  if (is_signed && rest >= span / 2) rest -= span;
  return static_cast<Real>(rest);
}

/// Rounds to nearest even with `digits` bits of precision. `lowest` is the exponent of the smallest normal number.
inline Real round_to(Real value, int digits, int lowest, Real largest) {
  if (!std::isfinite(value) || value == 0) return value;
  const int exponent = std::max(std::ilogb(value), lowest);
  const Real unit = std::ldexp(Real{1}, exponent - digits + 1);
  const Real rounded = std::nearbyint(value / unit) * unit;
  return std::fabs(rounded) > largest ? std::copysign(std::numeric_limits<Real>::infinity(), value) : rounded;
}

/// Returns the value of such a float. HIFLOAT8 has a sign, a prefix, an exponent with a sign of its own whose highest
/// bit is implicit, and a fraction.
inline Real exact_float8_value(int bits, aclDataType type) {
  if (type == ACL_FLOAT8_E8M0)
    return bits == 255 ? std::numeric_limits<Real>::quiet_NaN() : std::ldexp(Real(1), bits - 127);
  struct Range {
    int first, exponent_bits, fraction_bits;
  };
  constexpr Range kRanges[] = {{0x60, 4, 1}, {0x40, 3, 2}, {0x20, 2, 3}, {0x10, 1, 3}, {0x08, 0, 3}};
  const int number = bits & 0x7F;
  const Real sign = bits & 0x80 ? -1 : 1;
  if (number == 0) return bits ? std::numeric_limits<Real>::quiet_NaN() : 0;
  if (number == 0x6F) return sign * std::numeric_limits<Real>::infinity();
  for (const Range& range : kRanges) {
    if (number < range.first) continue;
    const int rest = number - range.first;
    const int fraction = rest % (1 << range.fraction_bits);
    const int field = rest >> range.fraction_bits;  // the sign, then the bits below the highest one
    int exponent = 0;
    if (range.exponent_bits > 0) {
      const int half = 1 << (range.exponent_bits - 1);
      exponent = field < half ? half + field : -field;
    }
    return sign * std::ldexp(1 + std::ldexp(Real(fraction), -range.fraction_bits), exponent);
  }
  return sign * std::ldexp(Real(1), number - 23);
}
inline int exact_float8_bits(Real value, aclDataType type) {
  int bits = 0;
  while (bits < 255 && exact_float8_value(bits, type) != value) ++bits;
  return bits;
}

/// Returns the value of an 8-bit float.
inline Real float8_value(int bits, aclDataType type) {
  const int digits = type == ACL_FLOAT8_E5M2 ? 2 : 3;
  const int exponent = (bits & 0x7F) >> digits;
  const int mantissa = bits & ((1 << digits) - 1);
  const Real sign = bits & 0x80 ? -1 : 1;
  if (type == ACL_FLOAT8_E5M2 && exponent == 31) {
    return mantissa ? std::numeric_limits<Real>::quiet_NaN() : sign * std::numeric_limits<Real>::infinity();
  }
  if (type == ACL_FLOAT8_E4M3FN && (bits & 0x7F) == 0x7F) return std::numeric_limits<Real>::quiet_NaN();
  const int bias = type == ACL_FLOAT8_E5M2 ? 15 : 7;
  const int whole = exponent ? mantissa + (1 << digits) : mantissa;
  return sign * std::ldexp(Real(whole), std::max(exponent, 1) - bias - digits);
}

/// Returns the bits of the nearest 8-bit float, ties to even. Values that are too large become infinity, or NaN for
/// types without infinity.
inline int float8_bits(Real value, aclDataType type) {
  const int highest = type == ACL_FLOAT8_E5M2 ? 0x7C : 0x7F;  // infinity or NaN, which stand for the number beyond
  if (std::isnan(value)) return 0x7F;
  const Real beyond = type == ACL_FLOAT8_E5M2 ? 65536 : 480;
  const Real magnitude = std::fabs(value);
  int best = 0;
  Real least = magnitude;
  for (int bits = 1; bits <= highest; ++bits) {
    const Real distance = std::fabs((bits == highest ? beyond : float8_value(bits, type)) - magnitude);
    const bool nearer = distance < least || (distance == least && bits % 2 == 0);
    if (nearer) best = bits;
    least = std::min(least, distance);
  }
  if (magnitude >= beyond) best = highest;
  return best | (std::signbit(value) ? 0x80 : 0);
}

inline Real round_real(Real value, aclDataType type) {
  if (is_exact_float8(type)) return value;
  if (is_float8(type)) return float8_value(float8_bits(value, type), type);
  switch (type) {
    case ACL_FLOAT16:
    case ACL_COMPLEX32: return round_to(value, 11, -14, 65504);
    case ACL_BF16: return round_to(value, 8, -126, std::ldexp(Real{255}, 120));
    case ACL_FLOAT:
    case ACL_COMPLEX64: return static_cast<float>(value);
    default: return static_cast<double>(value);
  }
}

/// Returns the number as an element of the type holds it. Integers must be exact, and wrap.
inline Number rounded(Number value, aclDataType type) {
  if (is_integer(type)) return wrap(static_cast<Wide>(value.real()), type);
  if (is_complex(type)) return {round_real(value.real(), type), round_real(value.imag(), type)};
  return round_real(value.real(), type);
}

template <typename T>
T bits_as(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

inline Real half_from(const std::byte* bytes) {
  const auto bits = bits_as<std::uint16_t>(bytes);
  const int exponent = bits >> 10 & 31;
  const int mantissa = bits & 1023;
  const Real sign = bits >> 15 ? -1 : 1;
  if (exponent == 31 && mantissa) return std::numeric_limits<Real>::quiet_NaN();
  if (exponent == 31) return sign * std::numeric_limits<Real>::infinity();
  return sign * std::ldexp(static_cast<Real>(exponent ? mantissa + 1024 : mantissa), std::max(exponent, 1) - 25);
}

inline Number read_element(const std::byte* bytes, aclDataType type) {
  switch (type) {
    case ACL_FLOAT: return bits_as<float>(bytes);
    case ACL_FLOAT16: return half_from(bytes);
    case ACL_BF16: {
      const std::uint32_t wide = static_cast<std::uint32_t>(bits_as<std::uint16_t>(bytes)) << 16;
      return bits_as<float>(reinterpret_cast<const std::byte*>(&wide));
    }
    case ACL_DOUBLE: return bits_as<double>(bytes);
    case ACL_INT8: return bits_as<std::int8_t>(bytes);
    case ACL_BOOL: return bits_as<std::uint8_t>(bytes);
    case ACL_UINT8: return bits_as<std::uint8_t>(bytes);
    case ACL_FLOAT8_E8M0:
    case ACL_HIFLOAT8: return exact_float8_value(bits_as<std::uint8_t>(bytes), type);
    case ACL_FLOAT8_E4M3FN:
    case ACL_FLOAT8_E5M2: return float8_value(bits_as<std::uint8_t>(bytes), type);
    case ACL_INT16: return bits_as<std::int16_t>(bytes);
    case ACL_UINT16: return bits_as<std::uint16_t>(bytes);
    case ACL_INT32: return bits_as<std::int32_t>(bytes);
    case ACL_UINT32: return bits_as<std::uint32_t>(bytes);
    case ACL_INT64: return bits_as<std::int64_t>(bytes);
    case ACL_UINT64: return bits_as<std::uint64_t>(bytes);
    case ACL_COMPLEX32: return {half_from(bytes), half_from(bytes + 2)};
    case ACL_COMPLEX64: return {bits_as<float>(bytes), bits_as<float>(bytes + 4)};
    default: return {bits_as<double>(bytes), bits_as<double>(bytes + 8)};
  }
}

template <typename T>
void put(std::byte* bytes, T value) {
  std::memcpy(bytes, &value, sizeof(T));
}

/// Returns the bits of a float16 value, which must be exact.
inline std::uint16_t half_bits(Real value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return 0x7E00;
  const Real magnitude = std::fabs(value);
  if (std::isinf(magnitude)) return static_cast<std::uint16_t>(sign | 0x7C00);
  if (magnitude < 0x1p-14L) return static_cast<std::uint16_t>(sign | static_cast<int>(std::ldexp(magnitude, 24)));
  const int exponent = std::ilogb(magnitude);
  const int mantissa = static_cast<int>(std::ldexp(magnitude, 10 - exponent)) - 1024;
  return static_cast<std::uint16_t>(sign | (exponent + 15) << 10 | mantissa);
}

inline void write_element(std::byte* bytes, aclDataType type, Number number) {
  const Number value = rounded(number, type);
  switch (type) {
    case ACL_FLOAT: return put(bytes, static_cast<float>(value.real()));
    case ACL_FLOAT16: return put(bytes, half_bits(value.real()));
    case ACL_BF16: {
      const auto narrow = static_cast<float>(value.real());
      std::memcpy(bytes, reinterpret_cast<const std::byte*>(&narrow) + 2, 2);
      return;
    }
    case ACL_DOUBLE: return put(bytes, static_cast<double>(value.real()));
    case ACL_FLOAT8_E8M0:
    case ACL_HIFLOAT8: return put(bytes, static_cast<std::uint8_t>(exact_float8_bits(value.real(), type)));
    case ACL_FLOAT8_E4M3FN:
    case ACL_FLOAT8_E5M2: return put(bytes, static_cast<std::uint8_t>(float8_bits(value.real(), type)));
    case ACL_COMPLEX32: return put(bytes, half_bits(value.real())), put(bytes + 2, half_bits(value.imag()));
    case ACL_COMPLEX64: return put(bytes, std::complex<float>(value));
    case ACL_COMPLEX128: return put(bytes, std::complex<double>(value));
    case ACL_UINT64: return put(bytes, static_cast<std::uint64_t>(value.real()));
    default: break;
  }
  const auto whole = static_cast<std::int64_t>(value.real());
  std::memcpy(bytes, &whole, static_cast<std::size_t>((facts_of(type).bits + 7) / 8));
}

}  // namespace aclvk::test
