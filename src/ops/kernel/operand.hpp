#pragma once

#include <cstdint>

#include "base/error.hpp"
#include "ops/kernel/word.hpp"
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

}  // namespace aclvk::ops
