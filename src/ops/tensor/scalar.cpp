#include "ops/tensor/scalar.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace aclvk::ops {
namespace {

// Shifts the dtype's bits to the top and back; the shift to the right extends the sign, or fills with zeros.
std::int64_t wrapped(std::int64_t value, DType dtype) {
  const auto unused = static_cast<int>(64 - 8 * size_of(dtype));
  const std::uint64_t high = static_cast<std::uint64_t>(value) << unused;
  const bool is_unsigned = dtype == DType::kUint8 || is_unsigned_wide(dtype);
  return is_unsigned ? static_cast<std::int64_t>(high >> unused) : static_cast<std::int64_t>(high) >> unused;
}

/// Rounds to nearest even with a significand of `digits` bits; `lowest` is the exponent of the smallest normal number.
double round_digits(double value, int digits, int lowest, double largest) {
  if (!std::isfinite(value) || value == 0) return value;
  const int exponent = std::max(std::ilogb(value), lowest);
  const double unit = std::ldexp(1.0, exponent - digits + 1);
  const double rounded = std::nearbyint(value / unit) * unit;
  return std::abs(rounded) > largest ? std::copysign(INFINITY, value) : rounded;
}

// Significand bits with the implicit one, the lowest normal exponent, the largest finite value: 255 * 2^120 = (2
// - 2^-7) * 2^127.
double round_part(double value, DType dtype) {
  switch (dtype) {
    case DType::kFloat16:
    case DType::kComplex32: return round_digits(value, 11, -14, 65504);
    case DType::kBfloat16: return round_digits(value, 8, -126, std::ldexp(255.0, 120));
    case DType::kFloat:
    case DType::kComplex64: return static_cast<float>(value);
    default: return value;
  }
}

}  // namespace

Scalar::Scalar(const void* value, DType dtype) : dtype_(dtype) { std::memcpy(bytes_.data(), value, size_of(dtype)); }

template <typename T>
T Scalar::as(std::size_t part) const {
  T value;
  std::memcpy(&value, bytes_.data() + part * sizeof(T), sizeof(T));
  return value;
}

double Scalar::part_of(std::size_t part) const {
  switch (dtype_) {
    case DType::kFloat:
    case DType::kComplex64: return as<float>(part);
    case DType::kDouble:
    case DType::kComplex128: return as<double>(part);
    case DType::kFloat16:
    case DType::kComplex32: return float_from_half(as<std::uint16_t>(part));
    case DType::kBfloat16: return float_from_bfloat16(as<std::uint16_t>());
    case DType::kUint64: return static_cast<double>(as<std::uint64_t>());
    default: return static_cast<double>(to_int64());
  }
}

std::complex<double> Scalar::to_complex() const {
  return {part_of(0), kind_of(dtype_) == Kind::kComplex ? part_of(1) : 0.0};
}

double Scalar::to_double() const { return part_of(0); }

std::int64_t Scalar::to_int64() const {
  switch (dtype_) {
    case DType::kBool: return as<std::uint8_t>() != 0;
    case DType::kInt8: return as<std::int8_t>();
    case DType::kUint8: return as<std::uint8_t>();
    case DType::kInt16: return as<std::int16_t>();
    case DType::kUint16: return as<std::uint16_t>();
    case DType::kInt32: return as<std::int32_t>();
    case DType::kUint32: return as<std::uint32_t>();
    case DType::kInt64:
    case DType::kUint64: return as<std::int64_t>();
    default: break;
  }
  if (kind_of(dtype_) == Kind::kOther) return 0;
  const double value = part_of(0);
  if (std::isnan(value)) return 0;
  // 2^63 itself does not fit. Casting such a double to int64 is undefined, so the value saturates.
  if (value >= 0x1p63) return std::numeric_limits<std::int64_t>::max();
  return value < -0x1p63 ? std::numeric_limits<std::int64_t>::min() : static_cast<std::int64_t>(value);
}

Scalar Scalar::rounded_to(DType dtype) const {
  const std::complex<double> value = to_complex();
  if (kind_of(dtype) <= Kind::kInteger) {
    const std::int64_t whole = dtype == DType::kBool ? value != 0.0 : wrapped(to_int64(), dtype);
    return Scalar(&whole, DType::kInt64);
  }
  const std::complex<double> parts{round_part(value.real(), dtype), round_part(value.imag(), dtype)};
  return Scalar(&parts, kind_of(dtype) == Kind::kComplex ? DType::kComplex128 : DType::kDouble);
}

Scalar Scalar::saturated_to(DType dtype) const {
  if (kind_of(dtype) != Kind::kInteger || size_of(dtype) == 8) return *this;
  const bool is_unsigned = dtype == DType::kUint8 || dtype == DType::kUint16 || dtype == DType::kUint32;
  const std::int64_t most = (std::int64_t{1} << (8 * size_of(dtype) - (is_unsigned ? 0 : 1))) - 1;
  // to_int64() shows an uint64 from 2^63 on as a negative number.
  const bool huge = dtype_ == DType::kUint64 && to_int64() < 0;
  const std::int64_t value = huge ? most : std::clamp(to_int64(), is_unsigned ? 0 : -most - 1, most);
  return Scalar(&value, DType::kInt64);
}

namespace {

template <typename T>
std::array<std::uint32_t, 4> words_of(T first, T second = T()) {
  std::array<std::uint32_t, 4> words{};
  auto* bytes = reinterpret_cast<std::byte*>(words.data());
  std::memcpy(bytes, &first, sizeof(T));
  std::memcpy(bytes + sizeof(T), &second, sizeof(T));
  return words;
}

}  // namespace

std::array<std::uint32_t, 4> Scalar::to_element(DType dtype) const {
  const std::complex<double> value = to_complex();
  const auto real = static_cast<float>(value.real());
  const auto imaginary = static_cast<float>(value.imag());
  switch (dtype) {
    case DType::kFloat: return words_of(real);
    case DType::kDouble: return words_of(value.real());
    case DType::kFloat16: return words_of<std::uint32_t>(half_from_float(real));
    case DType::kBfloat16: return words_of<std::uint32_t>(bfloat16_from_float(real));
    case DType::kComplex32: return words_of(half_from_float(real), half_from_float(imaginary));
    case DType::kComplex64: return words_of(real, imaginary);
    case DType::kComplex128: return words_of(value.real(), value.imag());
    case DType::kBool: return words_of<std::uint32_t>(value != 0.0);
    default: break;
  }
  if (kind_of(dtype) == Kind::kOther) return words_of<std::uint32_t>(dtype == dtype_ ? as<std::uint8_t>() : 0);
  const auto whole = static_cast<std::uint64_t>(to_int64());
  const std::size_t bits = size_of(dtype) * 8;
  return words_of(bits == 64 ? whole : whole & ((std::uint64_t{1} << bits) - 1));
}

std::uint16_t half_from_float(float value) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  if (std::isnan(value)) return sign | 0x7E00;
  // 65520 is halfway between the largest half, 65504, and 65536. Subnormals are multiples of 2^-24.
  const float magnitude = std::fabs(value);
  if (magnitude >= 65520.0F) return sign | 0x7C00;
  if (magnitude < 0x1p-14F) return sign | static_cast<std::uint16_t>(std::nearbyint(magnitude * 0x1p24F));
  const int exponent = std::ilogb(magnitude);
  // A mantissa that rounds up to the next power of two carries into the exponent.
  const auto mantissa = static_cast<int>(std::nearbyint(std::ldexp(magnitude, 10 - exponent))) - 1024;
  return static_cast<std::uint16_t>(sign | (((exponent + 15) << 10) + mantissa));
}

std::uint16_t bfloat16_from_float(float value) {
  // Rounds to nearest even: adds half of the last place minus one, plus the last bit that stays. NaN becomes quiet.
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  if (std::isnan(value)) return static_cast<std::uint16_t>(bits >> 16 | 0x40);
  return static_cast<std::uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

float float_from_half(std::uint16_t bits) {
  // A half has a sign, 5 bits of exponent with bias 15, and 10 of mantissa: (1024 + m) * 2^(e - 25), or m * 2^-24
  // if subnormal.
  const int exponent = bits >> 10 & 31;
  const int mantissa = bits & 1023;
  const float sign = bits & 0x8000 ? -1.0F : 1.0F;
  if (exponent == 31) return mantissa ? std::numeric_limits<float>::quiet_NaN() : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(mantissa), -24);
  return sign * std::ldexp(static_cast<float>(mantissa + 1024), exponent - 25);
}

float float_from_bfloat16(std::uint16_t bits) {
  const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof(value));
  return value;
}

}  // namespace aclvk::ops
