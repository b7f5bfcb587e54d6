#pragma once

#include <cstdint>
#include <vector>

#include "ops/tensor/tensor.hpp"

namespace aclvk::ops {

/// The blocks of a factor in FRACTAL_NZ. The dim whose element stride is 1 is split into parts of `size` elements;
/// consecutive parts begin `stride` elements apart. All other dims are strided as usual.
struct Blocks {
  std::int64_t size = 0;  ///< a power of two, at least 8; 0 for a factor without blocks
  std::int64_t stride = 0;

  /// Returns whether blocks split this dim.
  bool splits(const Tensor& factor, std::size_t dim) const { return size > 0 && factor.strides[dim] == 1; }
  /// Returns whether the dim can be unfolded into groups of `inner` elements: whole parts, single elements, or all of
  /// them.
  bool fit(const Tensor& factor, std::size_t dim, std::int64_t inner) const {
    return !splits(factor, dim) || inner == 1 || inner % size == 0 || inner >= factor.shape[dim];
  }
};

/// A matrix, or a batch of matrices, and its blocks.
struct BlockedMatrix {
  Tensor matrix;
  Blocks blocks{};
};

/// Returns a slice of a dim. Where blocks split the dim, `start` is the beginning of a part.
Tensor sliced(const Tensor& factor, const Blocks& blocks, std::size_t dim, std::int64_t start, std::int64_t count);
/// Splits a dim into two, the second of `inner` elements, for which fit() is true.
Tensor unflattened(const Tensor& factor, const Blocks& blocks, std::size_t dim, std::int64_t inner);

/// `count` consecutive chunks of a dim, of `inner` elements each, starting at `first`.
struct Chunks {
  std::int64_t first;
  std::int64_t count;
  std::int64_t inner;
};
/// Divides a dim into chunks of `of_part` elements: the whole ones, then a shorter one.
std::vector<Chunks> equal_chunks(std::int64_t size, std::int64_t of_part);

/// Returns views of matrices of one shape (sizes of 1 broadcast) for kernels that know strides only. Where the blocks
/// of the first matrix split a dim, there is one set of views for the whole parts, with one more dim, and one for the
/// remainder. Blocks of the other matrices have the same size.
using Views = std::vector<Tensor>;
std::vector<Views> strided_views(const std::vector<BlockedMatrix>& matrices);

}  // namespace aclvk::ops
