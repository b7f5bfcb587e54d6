#include "ops/tensor/view.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace aclvk::ops {

Tensor permuted(const Tensor& tensor, const Shape& order) {
  Tensor view = tensor;
  for (std::size_t i = 0; i < order.size(); ++i) {
    view.shape[i] = tensor.shape[static_cast<std::size_t>(order[i])];
    view.strides[i] = tensor.strides[static_cast<std::size_t>(order[i])];
  }
  return view;
}

Tensor sliced(const Tensor& tensor, std::size_t dim, std::int64_t start, std::int64_t count, std::int64_t step) {
  Tensor view = tensor;
  // An empty slice may start past the end, where no address is valid.
  view.offset += count > 0 ? start * tensor.strides[dim] : 0;
  view.shape[dim] = count;
  view.strides[dim] *= step;
  return view;
}

Tensor unflattened(const Tensor& tensor, std::size_t dim, std::int64_t inner) {
  Tensor view = tensor;
  view.shape[dim] = inner > 0 ? tensor.shape[dim] / inner : 0;
  view.strides[dim] *= inner;
  view.shape = with(view.shape, dim + 1, inner);
  view.strides = with(view.strides, dim + 1, tensor.strides[dim]);
  return view;
}

Tensor repeated(const Tensor& tensor, std::size_t dim, std::int64_t times) {
  Tensor view = tensor;
  view.shape = with(tensor.shape, dim, times);
  view.strides = with(tensor.strides, dim, 0);
  return view;
}

Tensor with_rank(Tensor tensor, std::size_t rank) {
  while (tensor.shape.size() < rank) tensor = repeated(tensor, 0, 1);
  return tensor;
}

Tensor expanded(const Tensor& tensor, const Shape& shape) {
  Tensor view = tensor;
  view.strides = broadcast_strides(tensor.shape, tensor.strides, shape);
  view.shape = shape;
  return view;
}

Tensor selected(const Tensor& tensor, std::size_t dim, std::int64_t index) {
  Tensor view = tensor;
  view.offset += index * tensor.strides[dim];
  view.shape = without(tensor.shape, dim);
  view.strides = without(tensor.strides, dim);
  return view;
}

std::int64_t diagonal_length(std::int64_t rows, std::int64_t columns, std::int64_t offset) {
  const std::int64_t length = offset >= 0 ? std::min(rows, columns - offset) : std::min(rows + offset, columns);
  return std::max<std::int64_t>(length, 0);
}

Tensor diagonal(const Tensor& matrix, std::int64_t offset) {
  Tensor view = matrix;
  const std::int64_t length = diagonal_length(matrix.shape[0], matrix.shape[1], offset);
  if (length > 0) view.offset += offset >= 0 ? offset * matrix.strides[1] : -offset * matrix.strides[0];
  view.shape = {length};
  view.strides = {matrix.strides[0] + matrix.strides[1]};
  return view;
}

namespace {

/// Adjacent dims that are contiguous relative to each other, merged into one.
struct MergedDim {
  std::int64_t size;
  std::int64_t stride;
};

/// The merged dims of a tensor, innermost first.
InlineVector<MergedDim, kMaxRank> merged_dims_of(const Tensor& tensor) {
  InlineVector<MergedDim, kMaxRank> merged;
  for (std::size_t dim = tensor.shape.size(); dim-- > 0;) {
    const std::int64_t size = tensor.shape[dim];
    if (size == 1) continue;
    const bool is_contiguous_run = !merged.empty() && tensor.strides[dim] == merged.back().stride * merged.back().size;
    if (is_contiguous_run) {
      merged.back().size *= size;
    } else {
      merged.push_back({size, tensor.strides[dim]});
    }
  }
  return merged;
}

}  // namespace

// As PyTorch's computeStride: each new dim has to lie within one merged dim of the tensor.
std::optional<Tensor> reshaped(const Tensor& tensor, const Shape& shape) {
  Tensor view = tensor;
  view.shape = shape;
  view.strides = contiguous_strides(shape);
  if (tensor.empty()) return view;
  const auto merged = merged_dims_of(tensor);
  std::size_t merged_dim = 0;
  // Invariant: `filled` elements of the current merged dim are covered by the new dims so far.
  std::int64_t filled = 1;
  for (std::size_t dim = shape.size(); dim-- > 0;) {
    if (shape[dim] == 1) continue;
    if (filled == merged[merged_dim].size) {
      ++merged_dim;
      filled = 1;
    }
    if (merged[merged_dim].size / filled % shape[dim] != 0) return std::nullopt;
    view.strides[dim] = merged[merged_dim].stride * filled;
    filled *= shape[dim];
  }
  return view;
}

Tensor row_major(const Shape& shape, DType dtype, const std::byte* data) {
  Tensor tensor;
  tensor.shape = shape;
  tensor.strides = contiguous_strides(shape);
  tensor.dtype = dtype;
  tensor.data = const_cast<std::byte*>(data);
  return tensor;
}

Tensor at_least_one_dim(Tensor tensor) {
  if (tensor.shape.empty()) {
    tensor.shape = {1};
    tensor.strides = {1};
  }
  return tensor;
}

std::size_t checked_dim(std::int64_t dim, std::size_t rank, const char* name) {
  const auto dims = static_cast<std::int64_t>(std::max<std::size_t>(rank, 1));
  check(dim >= -dims && dim < dims, Code::kNnInvalid, "{} is {}; expected {} to {}.", name, dim, -dims, dims - 1);
  return static_cast<std::size_t>(dim < 0 ? dim + dims : dim);
}

Shape without(const Shape& shape, std::size_t dim) {
  Shape rest = shape;
  rest.erase(rest.begin() + dim);
  return rest;
}

Shape with(const Shape& shape, std::size_t dim, std::int64_t size) {
  Shape more(shape.begin(), shape.begin() + dim);
  more.push_back(size);
  more.append(shape.begin() + dim, shape.end());
  return more;
}

}  // namespace aclvk::ops
