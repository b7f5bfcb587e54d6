#include "ops/pooling/maximum.hpp"

#include <algorithm>
#include <vector>

#include "ops/elementwise/copy.hpp"
#include "ops/index/indexed_kernels.hpp"
#include "ops/shape/view.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

constexpr ClassShaders kShaders = ACLVK_CLASS_SHADERS("pooling/maximum");

/// A view with this dim behind all others.
Tensor dim_last(const Tensor& tensor, std::size_t dim) {
  Shape order;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    if (i != dim) order.push_back(static_cast<std::int64_t>(i));
  }
  order.push_back(static_cast<std::int64_t>(dim));
  return permuted(tensor, order);
}

/// What is left of earlier places when `places` are chosen along a dim.
Kernels choose_kernels(const char* name, const Tensor& from, std::size_t dim, const Tensor& places, const Tensor& to) {
  Shape steps = from.strides;
  steps[dim] = 0;
  return gather_kernels({name, &from, &steps, &places, &to, {from.shape[dim], from.strides[dim], false}});
}

/// The number of an element from its place along each of the windows' dims, of which the last one comes first.
Kernels number_kernels(const char* name, Staging& staging, const std::vector<Tensor>& places, const Tensor& self,
                       const Tensor& indices) {
  std::vector<PartialIndex> parts;
  std::int64_t stride = 1;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::int64_t size = self.shape[self.shape.size() - 1 - i];
    parts.push_back({places[i], {size, stride, false}});
    stride *= size;
  }
  const Tensor numbers = staging.make(indices.shape, DType::kUint32);
  Kernels kernels = linearize_kernels(name, numbers, parts);
  append(kernels, copy_kernels(name, indices, numbers));
  return kernels;
}

/// Windows whose elements a thread takes.
Kernels maximum_at_once(const char* name, const WindowWalk& walk, const Tensor& self, const Tensor& out,
                        const Tensor* indices) {
  WindowCall windows(name, kShaders[static_cast<std::size_t>(class_for(self.dtype, {self.dtype}))], walk, self.dtype,
                     self, out);
  StridedCall& maximum = windows.call;
  maximum.constants.push_back(static_cast<std::uint32_t>(indices != nullptr));
  if (indices) maximum.operands.push_back({indices, Access::kWrite});
  if (!indices) maximum.operands.push_back({&out, Access::kRead, true});
  maximum.operands.push_back({&out, Access::kWrite});
  return strided_kernels(maximum);
}

Shape with_last(Shape shape, std::int64_t size) {
  shape.push_back(size);
  return shape;
}

/// A window along the last dim. One that is too long for a thread is several, which follow each other, and of their
/// largest elements the largest.
Kernels maximum_of_line(const char* name, Staging& staging, const WindowWalk& walk, const Tensor& self,
                        const Tensor& out, const Tensor* indices) {
  const Window& window = walk.windows[0];
  if (window.size <= kMostOfALine) return maximum_at_once(name, walk, self, out, indices);
  const std::int64_t parts = (window.size + kMostOfALine - 1) / kMostOfALine;
  const Tensor largest = staging.make(with_last(out.shape, parts), self.dtype);
  const Tensor places = indices ? staging.make(largest.shape, DType::kInt32) : Tensor{};
  const Tensor part = indices ? staging.make(with_last(out.shape, 1), DType::kInt32) : Tensor{};
  const std::size_t dim = out.shape.size();
  Kernels kernels;
  for (std::int64_t i = 0; i < parts; ++i) {
    Window own = window;
    own.size = std::min(kMostOfALine, window.size - i * kMostOfALine);
    own.before -= i * kMostOfALine * window.dilation;
    const Tensor to = selected(largest, dim, i);
    const Tensor place = indices ? selected(places, dim, i) : Tensor{};
    append(kernels, maximum_at_once(name, {{own}, walk.placement}, self, to, indices ? &place : nullptr));
  }
  const Tensor result = repeated(out, dim, 1);
  append(kernels, maximum_at_once(name, {{Window{parts, parts}}}, largest, result, indices ? &part : nullptr));
  if (indices) append(kernels, choose_kernels(name, places, dim, part, repeated(*indices, dim, 1)));
  return kernels;
}

Kernels maximum_along_dims(const char* name, Staging& staging, const WindowWalk& walk, const Tensor& self,
                           const Tensor& out, const Tensor* indices) {
  Kernels kernels;
  Tensor from = self;
  std::vector<Tensor> places;
  for (std::size_t i = walk.windows.size(); i-- > 0;) {
    const std::size_t dim = self.shape.size() - walk.windows.size() + i;
    Shape shape = from.shape;
    shape[dim] = out.shape[dim];
    const Tensor to = i == 0 ? out : staging.make(shape, self.dtype);
    const Tensor chosen = indices ? staging.make(shape, DType::kInt32) : Tensor{};
    const Tensor along = indices ? dim_last(chosen, dim) : Tensor{};
    append(kernels, maximum_of_line(name, staging, {{walk.windows[i]}, walk.placement}, dim_last(from, dim),
                                    dim_last(to, dim), indices ? &along : nullptr));
    for (Tensor& earlier : places) {
      const Tensor left = staging.make(shape, DType::kInt32);
      append(kernels, choose_kernels(name, earlier, dim, chosen, left));
      earlier = left;
    }
    if (indices) places.push_back(chosen);
    from = to;
  }
  if (indices) append(kernels, number_kernels(name, staging, places, self, *indices));
  return kernels;
}

}  // namespace

Kernels maximum_kernels(const char* name, Staging& staging, const WindowWalk& walk, const Tensor& self,
                        const Tensor& out, const Tensor* indices) {
  return goes_along_dims(walk, self.shape, out.shape) ? maximum_along_dims(name, staging, walk, self, out, indices)
                                                      : maximum_at_once(name, walk, self, out, indices);
}

}  // namespace aclvk::ops
