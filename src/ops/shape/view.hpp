#pragma once

#include <cstdint>
#include <optional>

#include "ops/tensor.hpp"

namespace aclvk::ops {

// Other views of the same memory. They check nothing; operators have checked their attributes before.

Tensor permuted(const Tensor& tensor, const Shape& order);
/// Elements start, start + step, ... of a dim, `count` of them.
Tensor sliced(const Tensor& tensor, std::size_t dim, std::int64_t start, std::int64_t count, std::int64_t step = 1);
/// A dim as two of them; the second has `inner` elements.
Tensor unflattened(const Tensor& tensor, std::size_t dim, std::int64_t inner);
/// One dim more, before `dim`, that repeats the tensor.
Tensor repeated(const Tensor& tensor, std::size_t dim, std::int64_t times);
/// The tensor with sizes of 1 repeated to `shape`, which it broadcasts to.
Tensor expanded(const Tensor& tensor, const Shape& shape);
/// Without a dim: its element `index`.
Tensor selected(const Tensor& tensor, std::size_t dim, std::int64_t index = 0);
/// The diagonal of a matrix that starts in column `offset`, or in row -offset.
Tensor diagonal(const Tensor& matrix, std::int64_t offset);
/// The same elements in row-major order with other sizes; nothing when no strides do that.
std::optional<Tensor> reshaped(const Tensor& tensor, const Shape& shape);
/// A row-major tensor at an address.
Tensor row_major(const Shape& shape, DType dtype, const std::byte* data);
/// A scalar as a vector of one element; others as they are.
Tensor at_least_one_dim(Tensor tensor);

/// How many elements a diagonal has.
std::int64_t diagonal_length(std::int64_t rows, std::int64_t columns, std::int64_t offset);

/// A dim counted from the end when below zero. 161002 unless it is in [-rank, rank - 1]; a scalar has one dim.
std::size_t checked_dim(std::int64_t dim, std::size_t rank, const char* name);

/// Without a size.
Shape without(const Shape& shape, std::size_t dim);
/// With one more, before `dim`.
Shape with(const Shape& shape, std::size_t dim, std::int64_t size);

}  // namespace aclvk::ops
