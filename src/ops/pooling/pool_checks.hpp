#pragma once

#include <cstddef>
#include <vector>

#include "ops/pooling/pooling.hpp"
#include "ops/shape/windows.hpp"

namespace aclvk::ops {

// The checks that poolings and their gradients share. `dims` of the last dims are spatial.

/// The arrays of a window, none of which is NULL (161001).
struct WindowArrays {
  std::vector<std::int64_t> kernel;
  std::vector<std::int64_t> stride;
  std::vector<std::int64_t> padding;
  std::vector<std::int64_t> dilation;
};
WindowArrays required_arrays(const PoolWindow& window);

/// One or two dims before the spatial ones, of which none is empty (161002).
void check_image(const char* name, std::size_t dims, const Tensor& self, const char* self_name);

/// `padding` has a value for each dim, or those before all of them and then those after.
Windows checked_windows(const PoolWindow& names, const WindowArrays& arrays, std::size_t dims);

/// How many places each window has over the last dims of self; one at least (161002).
Shape places_of(const Windows& windows, const Tensor& self, bool ceil_mode);

/// The shape of a tensor with other sizes for its last dims.
Shape with_spatial(const Tensor& tensor, const Shape& spatial);

}  // namespace aclvk::ops
