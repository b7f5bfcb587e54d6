#include "ops/matmul/blocks.hpp"

#include "ops/shape/view.hpp"

namespace aclvk::ops {

Tensor sliced(const Tensor& factor, const Blocks& blocks, std::size_t dim, std::int64_t start, std::int64_t count) {
  Tensor view = sliced(factor, dim, start, count);
  if (blocks.cut(factor, dim)) view.offset = factor.offset + start / blocks.size * blocks.step;
  return view;
}

Tensor unfolded(const Tensor& factor, const Blocks& blocks, std::size_t dim, std::int64_t inner) {
  Tensor view = unfolded(factor, dim, inner);
  if (blocks.cut(factor, dim)) view.strides[dim] = inner / blocks.size * blocks.step;
  return view;
}

}  // namespace aclvk::ops
