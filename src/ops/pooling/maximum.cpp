#include "ops/pooling/maximum.hpp"

#include <algorithm>
#include <vector>

#include "ops/index/indexed_kernels.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/tensor/view.hpp"
#include "pooling/maximum.args.h"

namespace aclvk::ops {
namespace {

using runtime::Access;

CONSTANT_STRUCT(MaximumConstants, MAXIMUM_CONSTANTS);

constexpr ClassShaders kShaders = ACLVK_CLASS_SHADERS("pooling/maximum");

/// Returns a view with dim `dim` moved to the end.
Tensor dim_last(const Tensor& tensor, std::size_t dim) {
  Shape order;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    if (i != dim) order.push_back(static_cast<std::int64_t>(i));
  }
  order.push_back(static_cast<std::int64_t>(dim));
  return permuted(tensor, order);
}

/// Gathers along a dim: what an earlier pass stored at `positions` that this pass has chosen.
Kernels choose_kernels(const char* name, const Tensor& from, std::size_t dim, const Tensor& positions,
                       const Tensor& to) {
  Shape steps = from.strides;
  steps[dim] = 0;
  return gather_kernels({name, &from, &steps, &positions, &to, {from.shape[dim], from.strides[dim], false}});
}

/// Combines positions along each window dim, last dim first, into the linear index of the plane.
Kernels number_kernels(const char* name, Staging& staging, const std::vector<Tensor>& positions, const Tensor& self,
                       const Tensor& indices) {
  std::vector<PartialIndex> parts;
  std::int64_t stride = 1;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::int64_t size = self.shape[self.shape.size() - 1 - i];
    // The index is row-major over the plane: positions times the number of elements of the later dims.
    parts.push_back({positions[i], {size, stride, false}});
    stride *= size;
  }
  const Tensor numbers = staging.make(indices.shape, DType::kUint32);
  Kernels kernels = linearize_kernels(name, numbers, parts);
  append(kernels, copy_kernels(name, indices, numbers));
  return kernels;
}

/// One kernel, in which a thread visits all elements of its window.
Kernels direct_maximum(const char* name, const WindowWalk& walk, const Tensor& self, const Tensor& out,
                       const Tensor* indices) {
  WindowCall windows(name, kShaders[static_cast<std::size_t>(class_for(self.dtype, {self.dtype}))], walk, self.dtype,
                     self, out);
  StridedCall& maximum = windows.call;
  MaximumConstants constants;
  constants.kIndices = indices != nullptr;
  add_constants(maximum, constants);
  if (indices) maximum.operands.push_back({indices, Access::kWrite});
  if (!indices) maximum.operands.push_back({&out, Access::kRead, true});
  maximum.operands.push_back({&out, Access::kWrite});
  return strided_kernels(maximum);
}

Shape with_last(Shape shape, std::int64_t size) {
  shape.push_back(size);
  return shape;
}

/// Windows along the last dim. A window with too many elements for a thread is split in consecutive segments, followed
/// by the maximum over the segments.
Kernels maximum_of_line(const char* name, Staging& staging, const WindowWalk& walk, const Tensor& self,
                        const Tensor& out, const Tensor* indices) {
  const Window& window = walk.windows[0];
  if (window.size <= kMaxLineWindow) return direct_maximum(name, walk, self, out, indices);
  const std::int64_t parts = (window.size + kMaxLineWindow - 1) / kMaxLineWindow;
  const Tensor largest = staging.make(with_last(out.shape, parts), self.dtype);
  const Tensor positions = indices ? staging.make(largest.shape, DType::kInt32) : Tensor{};
  const Tensor part = indices ? staging.make(with_last(out.shape, 1), DType::kInt32) : Tensor{};
  const std::size_t dim = out.shape.size();
  Kernels kernels;
  for (std::int64_t i = 0; i < parts; ++i) {
    Window own = window;
    own.size = std::min(kMaxLineWindow, window.size - i * kMaxLineWindow);
    // A segment is the window with its start moved by the taps of the earlier segments.
    own.before -= i * kMaxLineWindow * window.dilation;
    const Tensor to = selected(largest, dim, i);
    const Tensor position = indices ? selected(positions, dim, i) : Tensor{};
    append(kernels, direct_maximum(name, {{own}, walk.placement}, self, to, indices ? &position : nullptr));
  }
  const Tensor result = repeated(out, dim, 1);
  // The maximum over segments is a pooling with one window. Among equal maxima the first segment wins, as in one
  // pass.
  append(kernels, direct_maximum(name, {{Window{parts, parts}}}, largest, result, indices ? &part : nullptr));
  if (indices) append(kernels, choose_kernels(name, positions, dim, part, repeated(*indices, dim, 1)));
  return kernels;
}

Kernels separable_maximum(const char* name, Staging& staging, const WindowWalk& walk, const Tensor& self,
                          const Tensor& out, const Tensor* indices) {
  Kernels kernels;
  Tensor from = self;
  std::vector<Tensor> positions;
  for (std::size_t i = walk.windows.size(); i-- > 0;) {
    const std::size_t dim = self.shape.size() - walk.windows.size() + i;
    Shape shape = from.shape;
    shape[dim] = out.shape[dim];
    const Tensor to = i == 0 ? out : staging.make(shape, self.dtype);
    const Tensor chosen = indices ? staging.make(shape, DType::kInt32) : Tensor{};
    const Tensor along = indices ? dim_last(chosen, dim) : Tensor{};
    append(kernels, maximum_of_line(name, staging, {{walk.windows[i]}, walk.placement}, dim_last(from, dim),
                                    dim_last(to, dim), indices ? &along : nullptr));
    // Earlier passes chose a position for each position of this dim; that of the chosen one is kept.
    for (Tensor& earlier : positions) {
      const Tensor left = staging.make(shape, DType::kInt32);
      append(kernels, choose_kernels(name, earlier, dim, chosen, left));
      earlier = left;
    }
    if (indices) positions.push_back(chosen);
    from = to;
  }
  if (indices) append(kernels, number_kernels(name, staging, positions, self, *indices));
  return kernels;
}

}  // namespace

Kernels maximum_kernels(const char* name, Staging& staging, const WindowWalk& walk, const Tensor& self,
                        const Tensor& out, const Tensor* indices) {
  return use_separable(walk, self.shape, out.shape) ? separable_maximum(name, staging, walk, self, out, indices)
                                                    : direct_maximum(name, walk, self, out, indices);
}

}  // namespace aclvk::ops
