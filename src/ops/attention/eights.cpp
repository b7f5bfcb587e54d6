#include "ops/attention/eights.hpp"

#include "ops/create/fill.hpp"
#include "ops/elementwise/copy.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/shape/view.hpp"

namespace aclvk::ops {
namespace {

constexpr std::int64_t kEight = 8;

/// A tensor of the workspace with as many eights, and the part of it that has the elements.
Tensor filled_up(const Tensor& tensor, Staging& staging) {
  Shape shape = tensor.shape;
  shape.back() = (shape.back() + kEight - 1) / kEight * kEight;
  return staging.make(shape, tensor.dtype);
}
Tensor elements_of(const Tensor& filled, const Tensor& tensor) {
  return sliced(filled, filled.shape.size() - 1, 0, tensor.shape.back());
}

}  // namespace

Tensor read_in_eights(const char* name, const Tensor& tensor, Staging& staging, Kernels& before) {
  if (tensor.empty() || has_vec8_access(tensor, tensor.shape.size() - 1)) return tensor;
  const Tensor filled = filled_up(tensor, staging);
  const Tensor elements = elements_of(filled, tensor);
  if (filled.shape != tensor.shape) append(before, fill_kernels(name, filled, {}));
  append(before, copy_kernels(name, elements, tensor));
  return filled;
}

Tensor write_in_eights(const char* name, const Tensor& tensor, Staging& staging, Kernels& before) {
  if (tensor.empty() || has_vec8_access(tensor, tensor.shape.size() - 1)) return tensor;
  const Tensor filled = filled_up(tensor, staging);
  append(before, copy_kernels(name, elements_of(filled, tensor), tensor));
  staging.finish_with(copy_kernels(name, tensor, elements_of(filled, tensor)));
  return filled;
}

}  // namespace aclvk::ops
