#pragma once

#include <cstddef>

#include "ops/tensor.hpp"

namespace aclvk::ops {

// Tensors of rank two or more as matrices: the last two dims, behind those of a batch.

/// The dims before the last two.
inline Shape batch_of(const Shape& shape) { return {shape.begin(), shape.end() - 2}; }
inline Shape batch_of(const Tensor& matrices) { return batch_of(matrices.shape); }
/// With another batch, to which its own broadcasts.
Tensor with_batch(const Tensor& matrices, const Shape& batch);
/// The transposed matrices, in the same memory.
Tensor with_swapped_dims(Tensor matrices);

/// Whether the elements of a column, and not those of a row, lie next to each other.
bool is_transposed(const Tensor& matrices);
/// The matrices as they lie: transposed, if they are turned.
Tensor in_memory_order(const Tensor& matrices);

/// Whether eights along a dim, which is walked step by step, are one access each: as many bytes, at most 32.
bool has_vec8_access(const Tensor& tensor, std::size_t dim);

}  // namespace aclvk::ops
