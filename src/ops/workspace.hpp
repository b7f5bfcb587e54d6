#pragma once

#include <cstddef>
#include <cstdint>

#include "ops/shape/view.hpp"
#include "ops/tensor.hpp"

namespace aclvk::ops {

/// Of each place in a workspace: the most that a driver may ask of where a descriptor begins, so that those of two
/// places do not overlap. Executors see to it that the first one has it, too: the start is the program's choice.
constexpr std::uint64_t kWorkspaceAlignment = 256;

/// Shares out the temporary memory of an operator while it is planned. A place is an offset; the build function turns
/// it into an address.
class Workspace {
 public:
  std::uint64_t place_for(std::uint64_t bytes) {
    const std::uint64_t place = bytes_;
    bytes_ += (bytes + kWorkspaceAlignment - 1) / kWorkspaceAlignment * kWorkspaceAlignment;
    return place;
  }
  std::uint64_t place_for(const Shape& shape, DType dtype) {
    return place_for(static_cast<std::uint64_t>(element_count(shape)) * size_of(dtype));
  }
  std::uint64_t bytes() const { return bytes_; }

 private:
  std::uint64_t bytes_ = 0;
};

/// The address of a place. In the first phase there is no workspace, and a pointer must not be moved away from NULL.
inline std::byte* at_place(const std::byte* workspace, std::uint64_t place) {
  return moved(workspace, static_cast<std::int64_t>(place));
}

}  // namespace aclvk::ops
