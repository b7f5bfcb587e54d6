#pragma once

#include <cstdint>

namespace aclvk::runtime {
class Stream;
}

namespace aclvk::ops {

/// aclrtReduceAsync: dst = dst OP src. `kind` is an aclrtReduceKind, `dtype` an aclDataType.
struct MemoryReduction {
  void* dst = nullptr;
  const void* src = nullptr;  ///< elements of `dtype`
  std::uint64_t bytes = 0;
  int kind = 0;
  int dtype = 0;
};

/// Throws kInvalidParam for a dtype that cannot be reduced.
void check_reducible(int dtype);
/// Adds one task to the stream, or several for more than 1 GiB. Throws kParamInvalid for other invalid arguments.
void reduce_in_stream(runtime::Stream& stream, const MemoryReduction& reduction);

}  // namespace aclvk::ops
