#include "ops/kernel/staging.hpp"

#include <utility>

#include "ops/kernel/copy.hpp"
#include "ops/kernel/kernels.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {

Staging::Staging(std::string_view name, std::byte* workspace) : name_(name), workspace_(workspace) {}

Tensor Staging::make(const Shape& shape, DType dtype) {
  return row_major(shape, dtype, at_offset(workspace_, offsets_.allocate(shape, dtype)));
}

Tensor Staging::copy(const Tensor& tensor, std::vector<runtime::Kernel>& kernels) {
  const Tensor made = make(tensor.shape, tensor.dtype);
  append(kernels, copy_kernels(name_, made, tensor));
  return made;
}

Tensor Staging::read(const Tensor& tensor) { return is_contiguous(tensor) ? tensor : copy(tensor, before_); }

Tensor Staging::write(const Tensor& tensor) {
  if (is_contiguous(tensor)) return tensor;
  const Tensor made = make(tensor.shape, tensor.dtype);
  append(after_, copy_kernels(name_, tensor, made));
  return made;
}

void Staging::finish_with(std::vector<runtime::Kernel> kernels) { append(after_, std::move(kernels)); }

std::vector<runtime::Kernel> Staging::around(std::vector<runtime::Kernel> kernels) {
  // Without copies before them the kernels stay in their vector, which spares an allocation.
  if (!before_.empty()) {
    append(before_, std::move(kernels));
    kernels = std::move(before_);
  }
  append(kernels, std::move(after_));
  return kernels;
}

}  // namespace aclvk::ops
