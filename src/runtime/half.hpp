#pragma once

#include <cstdint>

namespace aclvk::runtime {

// Conversion of half-precision numbers as the interface defines it, without infinities and NaN. A read treats exponent
// 31 as an ordinary exponent. A write never uses it: larger magnitudes, infinities and NaN become 65504 with their
// sign.

float half_to_float(std::uint16_t half);
/// Rounds to nearest, ties to even.
std::uint16_t float_to_half(float value);

}  // namespace aclvk::runtime
