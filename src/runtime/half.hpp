#pragma once

#include <cstdint>

namespace aclvk::runtime {

// The half-precision numbers of the interface: no infinities and no NaN. Exponent 31 is an ordinary exponent when read
// and is never written: larger magnitudes, infinities and NaN become 65504 with the sign kept.

float half_to_float(std::uint16_t half);
/// Rounds to nearest, ties to even.
std::uint16_t float_to_half(float value);

}  // namespace aclvk::runtime
