#pragma once

#include <cstdint>

#include "ops/tensor.hpp"

namespace aclvk::ops {

/// How a factor lies in blocks, where it does. The dim whose stride is 1 is cut into parts of `size` elements, and the
/// next part begins `step` elements behind. What is in the other dims has strides, as ever.
struct Blocks {
  std::int64_t size = 0;  ///< a power of two, of eight and more; 0 for a factor whose strides tell all
  std::int64_t step = 0;

  bool cut(const Tensor& factor, std::size_t dim) const { return size > 0 && factor.strides[dim] == 1; }
};

/// The elements of a dim from `start` on. Where blocks cut the dim they begin with a part.
Tensor sliced(const Tensor& factor, const Blocks& blocks, std::size_t dim, std::int64_t start, std::int64_t count);
/// A dim as two of them, the second of `inner` elements. Where blocks cut the dim those are whole parts.
Tensor unfolded(const Tensor& factor, const Blocks& blocks, std::size_t dim, std::int64_t inner);

}  // namespace aclvk::ops
