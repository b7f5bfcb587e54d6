#pragma once

#include <cstddef>

#include "ops/tensor/tensor.hpp"

namespace aclvk::ops {

// Views of tensors of rank two or more as batches of matrices: the last two dims are the matrix.

/// The batch dims: all but the last two.
inline Shape batch_of(const Shape& shape) { return {shape.begin(), shape.end() - 2}; }
inline Shape batch_of(const Tensor& matrices) { return batch_of(matrices.shape); }
/// Expands the batch dims to `batch`.
Tensor with_batch(const Tensor& matrices, const Shape& batch);
/// The transposed view.
Tensor with_swapped_dims(Tensor matrices);

/// Returns whether the matrices are column-major: columns are contiguous, and rows are not.
bool is_transposed(const Tensor& matrices);
/// Returns the row-major view: the transposed one when the matrices are column-major.
Tensor in_memory_order(const Tensor& matrices);

/// Returns whether aligned vec8s along a dim, whose stride is 1, can be accessed at once: the dim's size is a multiple
/// of 8, and rows are aligned to the bytes of a vec8, at most 32.
bool has_vec8_access(const Tensor& tensor, std::size_t dim);

}  // namespace aclvk::ops
