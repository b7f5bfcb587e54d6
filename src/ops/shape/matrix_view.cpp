#include "ops/shape/matrix_view.hpp"

#include <algorithm>
#include <utility>

#include "ops/kernel/access.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {

Tensor with_batch(const Tensor& matrices, const Shape& batch) {
  Shape shape = batch;
  shape.append(matrices.shape.end() - 2, matrices.shape.end());
  return expanded(matrices, shape);
}

Tensor with_swapped_dims(Tensor matrices) {
  const std::size_t last = matrices.shape.size() - 1;
  std::swap(matrices.shape[last], matrices.shape[last - 1]);
  std::swap(matrices.strides[last], matrices.strides[last - 1]);
  return matrices;
}

bool is_transposed(const Tensor& matrices) {
  const std::size_t rank = matrices.shape.size();
  if (rank < 2 || matrices.strides[rank - 2] != 1) return false;
  // A single row with row stride 1 is the transposed view of a column: a contiguous row of several elements has a
  // larger row stride.
  const bool is_column = matrices.shape[rank - 2] <= 1 && matrices.shape[rank - 1] > 1;
  return matrices.strides[rank - 1] != 1 || is_column;
}

Tensor in_memory_order(const Tensor& matrices) {
  return is_transposed(matrices) ? with_swapped_dims(matrices) : matrices;
}

bool has_vec8_access(const Tensor& tensor, std::size_t dim) {
  const std::size_t bytes = size_of(tensor.dtype);
  // A vec8 of wide elements spans several lines; alignment to one line is enough.
  const std::size_t unit = std::min(kLine, kVec8 * bytes);
  if (tensor.strides[dim] != 1 || tensor.shape[dim] % kVec8 != 0) return false;
  if (reinterpret_cast<std::uintptr_t>(tensor.address()) % unit != 0) return false;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    const auto distance = static_cast<std::size_t>(tensor.strides[i]) * bytes;
    // All other strides have to keep the alignment of the first element.
    if (i != dim && tensor.shape[i] > 1 && distance % unit != 0) return false;
  }
  return true;
}

}  // namespace aclvk::ops
