#pragma once

#include <cstddef>
#include <cstdint>

#include "ops/tensor/tensor.hpp"

namespace aclvk::ops {

/// The alignment of each range in a workspace: the most that a driver may require of a descriptor's offset
/// (minStorageBufferOffsetAlignment), so that the descriptors of two ranges do not overlap. The workspace itself is the
/// program's memory: an executor asks for as many bytes more and aligns its start.
constexpr std::uint64_t kWorkspaceAlignment = 256;

/// Assigns offsets in an operator's workspace. An operator that needs memory of few, known sizes does so while it is
/// planned, and its build function turns an offset into an address with at_offset(); Staging is for the others, whose
/// kernels decide what they need.
class Workspace {
 public:
  std::uint64_t allocate(std::uint64_t bytes) {
    const std::uint64_t offset = bytes_;
    bytes_ += (bytes + kWorkspaceAlignment - 1) / kWorkspaceAlignment * kWorkspaceAlignment;
    return offset;
  }
  std::uint64_t allocate(const Shape& shape, DType dtype) {
    return allocate(static_cast<std::uint64_t>(element_count(shape)) * size_of(dtype));
  }
  std::uint64_t bytes() const { return bytes_; }

 private:
  std::uint64_t bytes_ = 0;
};

/// The address of an offset. In the first phase the workspace is NULL, and pointer arithmetic on NULL is undefined.
inline std::byte* at_offset(const std::byte* workspace, std::uint64_t offset) {
  return at_byte_offset(workspace, static_cast<std::int64_t>(offset));
}

}  // namespace aclvk::ops
