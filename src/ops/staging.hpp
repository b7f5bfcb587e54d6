#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ops/tensor.hpp"
#include "runtime/kernel/kernel.hpp"

namespace aclvk::ops {

/// Temporary tensors in a workspace: contiguous stand-ins for tensors that a kernel cannot walk, and results between
/// kernels. With a NULL workspace it only counts bytes.
class Staging {
 public:
  Staging(std::string_view name, std::byte* workspace);

  /// A contiguous tensor of its own.
  Tensor make(const Shape& shape, DType dtype);
  /// The tensor, or a contiguous copy that the kernels of before() fill.
  Tensor read(const Tensor& tensor);
  /// The tensor, or a contiguous one that the kernels of after() copy to it.
  Tensor write(const Tensor& tensor);

  /// Kernels that run behind those that have been asked for by now.
  void finish_with(std::vector<runtime::Kernel> kernels);

  /// All kernels in order, around those of the operator.
  std::vector<runtime::Kernel> around(std::vector<runtime::Kernel> kernels);
  std::uint64_t bytes() const { return used_; }

 private:
  const std::string_view name_;
  std::byte* const workspace_;
  std::uint64_t used_ = 0;
  std::vector<runtime::Kernel> before_;
  std::vector<runtime::Kernel> after_;
};

/// Row-major without gaps, as far as its elements tell.
bool is_contiguous(const Tensor& tensor);

}  // namespace aclvk::ops
