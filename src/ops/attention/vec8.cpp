#include "ops/attention/vec8.hpp"

#include "ops/create/fill.hpp"
#include "ops/kernel/access.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

/// Returns a tensor of the workspace with padded rows; elements_of() is its part without padding.
Tensor padded_to_vec8(const Tensor& tensor, Staging& staging) {
  Shape shape = tensor.shape;
  shape.back() = (shape.back() + kVec8 - 1) / kVec8 * kVec8;
  return staging.make(shape, tensor.dtype);
}
Tensor elements_of(const Tensor& filled, const Tensor& tensor) {
  return sliced(filled, filled.shape.size() - 1, 0, tensor.shape.back());
}

}  // namespace

Tensor read_as_vec8(const char* name, const Tensor& tensor, Staging& staging, Kernels& before) {
  if (tensor.empty() || has_vec8_access(tensor, tensor.shape.size() - 1)) return tensor;
  const Tensor filled = padded_to_vec8(tensor, staging);
  const Tensor elements = elements_of(filled, tensor);
  if (filled.shape != tensor.shape) append(before, fill_kernels(name, filled, {}));
  append(before, copy_kernels(name, elements, tensor));
  return filled;
}

Tensor write_as_vec8(const char* name, const Tensor& tensor, Staging& staging, Kernels& before) {
  if (tensor.empty() || has_vec8_access(tensor, tensor.shape.size() - 1)) return tensor;
  const Tensor filled = padded_to_vec8(tensor, staging);
  // Elements that no tile writes keep their values, because all of the copy is written back.
  append(before, copy_kernels(name, elements_of(filled, tensor), tensor));
  staging.finish_with(copy_kernels(name, tensor, elements_of(filled, tensor)));
  return filled;
}

}  // namespace aclvk::ops
