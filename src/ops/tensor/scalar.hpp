#pragma once

#include <array>
#include <complex>
#include <cstdint>

#include "ops/tensor/dtype.hpp"

namespace aclvk::ops {

/// An aclScalar: a value on the host with its dtype.
class Scalar {
 public:
  /// `value` points to bytes of the dtype, as aclCreateScalar() gets them.
  Scalar(const void* value, DType dtype);

  DType dtype() const { return dtype_; }
  std::complex<double> to_complex() const;  ///< a real value has the imaginary part 0
  double to_double() const;                 ///< the real part
  /// The bits of integers, uint64 included. Truncates floats; saturates those out of range, and returns 0 for NaN.
  std::int64_t to_int64() const;
  /// Returns the value that an element of `dtype` would hold: integers wrap, floats round to nearest even. The result's
  /// own dtype is INT64, DOUBLE or COMPLEX128.
  Scalar rounded_to(DType dtype) const;
  /// Returns the value clamped to the range of an integer dtype below 64 bits; the scalar itself for other dtypes.
  Scalar saturated_to(DType dtype) const;
  /// Returns the bits of an element of `dtype` with this value, low byte first. Integers wrap. For dtypes without
  /// arithmetic (kOther) the bits are copied when the scalar has that dtype, and 0 otherwise.
  std::array<std::uint32_t, 4> to_element(DType dtype) const;

 private:
  template <typename T>
  T as(std::size_t part = 0) const;
  double part_of(std::size_t part) const;

  DType dtype_;
  std::array<std::byte, 16> bytes_{};
};

// Conversions of 16-bit floats, given as bit patterns.

float float_from_half(std::uint16_t bits);
float float_from_bfloat16(std::uint16_t bits);
/// To nearest even.
std::uint16_t half_from_float(float value);
std::uint16_t bfloat16_from_float(float value);

}  // namespace aclvk::ops
