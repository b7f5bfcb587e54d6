#pragma once

#include <array>
#include <cstdint>

#include "base/error.hpp"

namespace aclvk::ops {

// The arguments of kernels are words of 32 bits. Every size, count and stride becomes one here, so a value that does
// not fit is refused, not cut.

/// Converts a size, a count, a stride, or a negative distance. Throws 161002 unless it is in [-2^31, 2^32).
inline std::uint32_t word(std::int64_t value) {
  check(value >= INT32_MIN && value <= UINT32_MAX, Code::kNnInvalid,
        "a size, count or stride of the operands is {}; less than 2^32 is supported.", value);
  return static_cast<std::uint32_t>(value);
}
/// Converts a value that the kernel reads as signed. Throws 161002 unless it is in [-2^31, 2^31).
inline std::int32_t signed_word(std::int64_t value) {
  check(value >= INT32_MIN && value <= INT32_MAX, Code::kNnInvalid,
        "a size, distance or stride of the operands is {}; less than 2^31 is supported.", value);
  return static_cast<std::int32_t>(value);
}
/// The two words of a 64-bit argument, the lower one first.
inline std::array<std::uint32_t, 2> two_words(std::uint64_t value) {
  return {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)};
}

}  // namespace aclvk::ops
