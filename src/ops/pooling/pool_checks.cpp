#include "ops/pooling/pool_checks.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "ops/executor/operator.hpp"

namespace aclvk::ops {

WindowArrays required_arrays(const PoolWindow& window) {
  WindowArrays arrays{required_ints(window.kernel), required_ints(window.stride), required_ints(window.padding), {1}};
  if (window.has_dilation) arrays.dilation = required_ints(window.dilation);
  return arrays;
}

void check_image(const char* name, std::size_t dims, const Tensor& self, const char* self_name) {
  const Shape& shape = self.shape;
  check(shape.size() == dims + 1 || shape.size() == dims + 2, Code::kNnInvalid,
        "{} has shape {}; {} takes tensors of {} or {} dimensions.", self_name, shape, name, dims + 1, dims + 2);
  const bool empty = std::find(shape.end() - dims, shape.end(), 0) != shape.end();
  check(!empty, Code::kNnInvalid, "{} has shape {}; its last {} dimensions must not be empty.", self_name, shape, dims);
}

// PyTorch has this limit, too: then every window has an element.
void check_padding(const char* name, const Window& window) {
  for (const std::int64_t padding : {window.before, window.after}) {
    check(padding <= window.dilated_size() / 2, Code::kNnInvalid,
          "{} has the value {}; the window reaches over {} elements, and at most half of them may be padding.", name,
          padding, window.dilated_size());
  }
}

Windows checked_windows(const PoolWindow& names, const WindowArrays& arrays, std::size_t dims) {
  const WindowValues kernel = window_values(arrays.kernel, names.kernel.name, dims, 1);
  // An empty stride means windows that do not overlap, as in PyTorch.
  const WindowValues stride = arrays.stride.empty() ? kernel : window_values(arrays.stride, names.stride.name, dims, 1);
  const WindowValues dilation = window_values(arrays.dilation, names.dilation.name, dims, 1);
  const auto half = arrays.padding.begin() + static_cast<std::ptrdiff_t>(dims);
  const bool both = arrays.padding.size() == 2 * dims;
  const auto padding = [&](bool after) {
    if (!both) return window_values(arrays.padding, names.padding.name, dims, 0);
    const std::vector<std::int64_t> part(after ? half : arrays.padding.begin(), after ? arrays.padding.end() : half);
    return window_values(part, names.padding.name, dims, 0);
  };
  const WindowValues before = padding(false);
  const WindowValues after = padding(true);
  Windows windows;
  for (std::size_t i = 0; i < dims; ++i) {
    windows.push_back({kernel[i], stride[i], before[i], after[i], dilation[i]});
    check_padding(names.padding.name, windows.back());
  }
  return windows;
}

Shape positions_of(const Windows& windows, const Tensor& self, bool ceil_mode, const char* self_name) {
  const std::size_t lead = self.shape.size() - windows.size();
  Shape positions;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const std::int64_t size = self.shape[lead + i];
    positions.push_back(ceil_mode ? windows[i].output_size_ceil(size) : windows[i].output_size(size));
    check(positions.back() > 0, Code::kNnInvalid, "{} has shape {}; the window has no position along dimension {}.",
          self_name, self.shape, lead + i);
  }
  return positions;
}

Shape positions_of_gradient(const Tensor& gradient, const Tensor& self, std::size_t dims) {
  check(gradient.shape.size() == self.shape.size(), Code::kNnInvalid,
        "gradOutput has shape {} and self {} dimensions; the same number is expected.", gradient.shape,
        self.shape.size());
  return {gradient.shape.end() - dims, gradient.shape.end()};
}

Shape with_spatial(const Tensor& tensor, const Shape& spatial) {
  Shape shape(tensor.shape.begin(), tensor.shape.end() - spatial.size());
  shape.append(spatial.begin(), spatial.end());
  return shape;
}

}  // namespace aclvk::ops
