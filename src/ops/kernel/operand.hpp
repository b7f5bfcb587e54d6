#pragma once

#include <array>
#include <cstdint>

#include "base/error.hpp"
#include "ops/tensor/tensor.hpp"
#include "runtime/kernel/kernel.hpp"

namespace aclvk::ops {

/// Returns a tensor as an operand of a kernel with 32-bit byte offsets. Throws 207000 for a span of 4 GiB or more.
inline runtime::Operand operand_of(const char* name, const Tensor& tensor, runtime::Access access) {
  constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 32;
  const ByteSpan span = span_of(tensor);
  const std::uint64_t bytes = span.end - span.begin;
  check(bytes < kMaxBytes, Code::kFeatureNotSupported, "a tensor of {} spans {} bytes; less than 2^32 are supported.",
        name, bytes);
  return {tensor.address(), bytes, access};
}

/// Converts an argument that is known to fit into 32 bits.
inline std::uint32_t word(std::int64_t value) { return static_cast<std::uint32_t>(value); }
/// The two words of a 64-bit argument, the lower one first.
inline std::array<std::uint32_t, 2> two_words(std::uint64_t value) {
  return {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)};
}

}  // namespace aclvk::ops
