#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ops/kernel/workspace.hpp"
#include "ops/tensor/tensor.hpp"
#include "runtime/kernel/kernel.hpp"

namespace aclvk::ops {

/// Allocates temporary tensors in an operator's workspace: intermediate results, and contiguous copies of tensors whose
/// strides a kernel does not support. With a NULL workspace it only counts bytes.
class Staging {
 public:
  Staging(std::string_view name, std::byte* workspace);

  /// Returns a contiguous temporary tensor.
  Tensor make(const Shape& shape, DType dtype);
  /// Returns a contiguous copy, which is filled at the end of `kernels`.
  Tensor copy(const Tensor& tensor, std::vector<runtime::Kernel>& kernels);
  /// Returns the tensor if it is contiguous, else a contiguous copy, which is filled before the operator's kernels run.
  Tensor read(const Tensor& tensor);
  /// Returns the tensor if it is contiguous, else a contiguous temporary, which is copied to it after the operator's
  /// kernels.
  Tensor write(const Tensor& tensor);

  /// Adds kernels that run after the operator's, and after the copies that write() has requested so far.
  void finish_with(std::vector<runtime::Kernel> kernels);

  /// Returns all kernels in order: the copies of read(), the operator's `kernels`, the copies of write().
  std::vector<runtime::Kernel> around(std::vector<runtime::Kernel> kernels);
  std::uint64_t bytes() const { return offsets_.bytes(); }

 private:
  const std::string_view name_;
  std::byte* const workspace_;
  Workspace offsets_;
  std::vector<runtime::Kernel> before_;
  std::vector<runtime::Kernel> after_;
};

}  // namespace aclvk::ops
