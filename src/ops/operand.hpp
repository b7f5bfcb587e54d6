#pragma once

#include <cstdint>

#include "base/error.hpp"
#include "ops/operator.hpp"
#include "ops/tensor.hpp"

namespace aclvk::ops {

/// A tensor as the operand of a kernel that counts its bytes with 32 bits (207000 where these do not suffice).
inline runtime::Operand operand_of(const char* name, const Tensor& tensor, runtime::Access access) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;
  const ByteSpan span = span_of(tensor);
  const std::uint64_t bytes = span.end - span.begin;
  check(bytes < kMostBytes, Code::kFeatureNotSupported, "a tensor of {} spans {} bytes; less than 2^32 are supported.",
        name, bytes);
  return {tensor.address(), bytes, access};
}

/// A number that is known to fit.
inline std::uint32_t word(std::int64_t value) { return static_cast<std::uint32_t>(value); }

}  // namespace aclvk::ops
