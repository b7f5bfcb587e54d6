#pragma once

#include <cstdint>
#include <optional>

#include "ops/tensor/tensor.hpp"

namespace aclvk::ops {

// Views of tensors. They check nothing: operators have checked attributes before.

Tensor permuted(const Tensor& tensor, const Shape& order);
/// Elements start, start + step, ... of a dim, `count` of them.
Tensor sliced(const Tensor& tensor, std::size_t dim, std::int64_t start, std::int64_t count, std::int64_t step = 1);
/// Splits a dim into two, of which the second has `inner` elements (unflatten).
Tensor unflattened(const Tensor& tensor, std::size_t dim, std::int64_t inner);
/// Inserts a broadcast dim of size `times` before `dim`.
Tensor repeated(const Tensor& tensor, std::size_t dim, std::int64_t times);
/// Prepends dims of size 1 up to `rank`.
Tensor with_rank(Tensor tensor, std::size_t rank);
/// Expands the tensor to `shape`, to which it broadcasts.
Tensor expanded(const Tensor& tensor, const Shape& shape);
/// Removes a dim by selecting its element `index`.
Tensor selected(const Tensor& tensor, std::size_t dim, std::int64_t index = 0);
/// The diagonal of a matrix that starts in column `offset`, or in row -offset.
Tensor diagonal(const Tensor& matrix, std::int64_t offset);
/// The view with another shape and the same elements in row-major order. Returns nothing when it needs a copy.
std::optional<Tensor> reshaped(const Tensor& tensor, const Shape& shape);
/// A row-major tensor at an address.
Tensor row_major(const Shape& shape, DType dtype, const std::byte* data);
/// Views a 0-d tensor as a vector; returns other tensors unchanged.
Tensor at_least_one_dim(Tensor tensor);

/// The number of elements of a diagonal.
std::int64_t diagonal_length(std::int64_t rows, std::int64_t columns, std::int64_t offset);

/// Resolves a dim; negative ones count from the end. Throws 161002 unless it is in [-rank, rank - 1]; a 0-d tensor
/// counts as rank 1.
std::size_t checked_dim(std::int64_t dim, std::size_t rank, const char* name);

/// Removes a size.
Shape without(const Shape& shape, std::size_t dim);
/// Inserts a size before `dim`.
Shape with(const Shape& shape, std::size_t dim, std::int64_t size);

}  // namespace aclvk::ops
