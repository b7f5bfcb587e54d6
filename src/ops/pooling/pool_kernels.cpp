#include "ops/pooling/pool_kernels.hpp"

#include "ops/strided.hpp"

namespace aclvk::ops {

using runtime::Access;

Kernels pool_kernels(const PoolCall& call, const Tensor& self, const Tensor& out, const Tensor* indices) {
  const std::size_t rank = out.shape.size();
  const std::size_t lead = rank - call.windows.size();
  StridedCall kernels;
  kernels.name = call.name;
  kernels.shader = call.shader;
  kernels.constants = {static_cast<std::uint32_t>(self.dtype), static_cast<std::uint32_t>(call.adaptive),
                       static_cast<std::uint32_t>(indices != nullptr), static_cast<std::uint32_t>(call.counts_padding)};
  kernels.arguments = {static_cast<std::uint32_t>(call.divisor)};
  // The shader has three spatial dims; those that are missing have one place with one element.
  for (std::size_t i = call.windows.size(); i < kMostSpatialDims; ++i) {
    for (const std::uint32_t word : {1U, 1U, 0U, 1U, 1U, 0U, 1U, 1U}) kernels.arguments.push_back(word);
  }
  Shape steps = self.strides;
  Shape numbers(rank, 0);
  std::int64_t number = 1;
  for (std::size_t dim = rank; dim-- > lead; number *= out.shape[dim]) {
    steps[dim] = 0;
    numbers[dim] = number;
  }
  for (std::size_t i = 0; i < call.windows.size(); ++i) {
    const Window& window = call.windows[i];
    const std::int64_t size = self.shape[lead + i];
    for (const std::int64_t word : {out.shape[lead + i], size, self.strides[lead + i], window.size, window.step,
                                    window.before, window.dilation, size + window.after}) {
      kernels.arguments.push_back(static_cast<std::uint32_t>(word));
    }
  }
  kernels.operands = {{&self, Access::kRead, false, &steps},
                      {&out, Access::kRead, true, &numbers},
                      {indices ? indices : &out, indices ? Access::kWrite : Access::kRead, indices == nullptr},
                      {&out, Access::kWrite}};
  return strided_kernels(kernels);
}

}  // namespace aclvk::ops
