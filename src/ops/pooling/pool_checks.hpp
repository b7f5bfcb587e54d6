#pragma once

#include <cstddef>
#include <vector>

#include "ops/pooling/pooling.hpp"
#include "ops/shape/windows.hpp"

namespace aclvk::ops {

// Checks of poolings and their gradients. The last `dims` dims are spatial.

/// The array parameters of a window; 161001 if one is NULL.
struct WindowArrays {
  std::vector<std::int64_t> kernel;
  std::vector<std::int64_t> stride;
  std::vector<std::int64_t> padding;
  std::vector<std::int64_t> dilation;
};
WindowArrays required_arrays(const PoolWindow& window);

/// 161002 unless one or two dims precede the spatial ones, and no spatial dim is empty.
void check_image(const char* name, std::size_t dims, const Tensor& self, const char* self_name);

/// Returns the windows; 161002 for bad values. `padding` has one value a dim, or all leading paddings and then all
/// trailing ones.
Windows checked_windows(const PoolWindow& names, const WindowArrays& arrays, std::size_t dims);

/// 161002 if more than half of the window is padding. `name` is the parameter of the padding.
void check_padding(const char* name, const Window& window);

/// Returns the number of window positions along each of the last dims of self; 161002 if one is 0.
Shape positions_of(const Windows& windows, const Tensor& self, bool ceil_mode, const char* self_name = "self");

/// Returns the last dims of gradOutput, which an adaptive pooling chose; 161002 unless it has the rank of self.
Shape positions_of_gradient(const Tensor& gradient, const Tensor& self, std::size_t dims);

/// Returns the shape of a tensor with its last dims replaced.
Shape with_spatial(const Tensor& tensor, const Shape& spatial);

}  // namespace aclvk::ops
