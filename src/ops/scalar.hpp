#pragma once

#include <array>
#include <complex>
#include <cstdint>

#include "ops/dtype.hpp"

namespace aclvk::ops {

/// A value from the host with its dtype.
class Scalar {
 public:
  Scalar(const void* value, DType dtype);

  DType dtype() const { return dtype_; }
  std::complex<double> to_complex() const;  ///< any dtype; a real value has no imaginary part
  double to_double() const;                 ///< the real part
  std::int64_t to_int64() const;            ///< bits of uint64 kept; floats are truncated, out of range saturates
  /// The value that an element of `dtype` would hold: integers wrap, floats round to nearest even. Its own dtype may be
  /// a wider one.
  Scalar rounded_to(DType dtype) const;
  /// The nearest value that an integer dtype holds; the scalar itself for other dtypes.
  Scalar saturated_to(DType dtype) const;
  /// The value's bits as an element of another dtype, from the low byte on. Integers wrap. Types without arithmetic
  /// here keep the bits of their own kind and hold 0.
  std::array<std::uint32_t, 4> to_element(DType dtype) const;

 private:
  template <typename T>
  T as(std::size_t part = 0) const;
  double part_of(std::size_t part) const;

  DType dtype_;
  std::array<std::byte, 16> bytes_{};
};

/// The host's view of 16-bit floats.
float float_from_half(std::uint16_t bits);
float float_from_bfloat16(std::uint16_t bits);
/// To nearest even.
std::uint16_t half_from_float(float value);
std::uint16_t bfloat16_from_float(float value);

}  // namespace aclvk::ops
