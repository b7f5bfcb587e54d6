#pragma once

#include <cstdint>
#include <vector>

#include "ops/tensor.hpp"

namespace aclvk::ops {

/// How a factor lies in blocks, where it does. The dim whose stride is 1 is cut into parts of `size` elements, and the
/// next part begins `step` elements behind. What is in the other dims has strides, as ever.
struct Blocks {
  std::int64_t size = 0;  ///< a power of two, of eight and more; 0 for a factor whose strides tell all
  std::int64_t step = 0;

  bool cut(const Tensor& factor, std::size_t dim) const { return size > 0 && factor.strides[dim] == 1; }
  /// Whether the elements of a dim may be taken `inner` at a time: as whole parts, one by one, or all of them.
  bool fit(const Tensor& factor, std::size_t dim, std::int64_t inner) const {
    return !cut(factor, dim) || inner == 1 || inner % size == 0 || inner >= factor.shape[dim];
  }
};

/// A matrix, or a batch of them, and its blocks.
struct BlockedMatrix {
  Tensor matrix;
  Blocks blocks{};
};

/// The elements of a dim from `start` on. Where blocks cut the dim they begin with a part.
Tensor sliced(const Tensor& factor, const Blocks& blocks, std::size_t dim, std::int64_t start, std::int64_t count);
/// A dim as two of them, the second of `inner` elements, which fit().
Tensor unflattened(const Tensor& factor, const Blocks& blocks, std::size_t dim, std::int64_t inner);

/// Parts of a dim: `count` of `inner` elements each, from `first` on.
struct EqualParts {
  std::int64_t first;
  std::int64_t count;
  std::int64_t inner;
};
/// A dim in parts of so many elements: those that are whole, then a shorter one.
std::vector<EqualParts> equal_parts(std::int64_t size, std::int64_t of_part);

/// Views of matrices of the same shape, or with sizes of 1 that repeat them, for kernels that know strides only. They
/// are cut where the blocks of the first one cut it, and blocks of another are as large: views of the whole parts, and
/// views of what is left.
using Views = std::vector<Tensor>;
std::vector<Views> strided_views(const std::vector<BlockedMatrix>& matrices);

}  // namespace aclvk::ops
