#pragma once

#include "ops/shape/windows.hpp"

namespace aclvk::ops {

/// Writes the columns of a convolution, (N, C, the window's places, places), row-major, to `columns`. `first` is where
/// the window begins at the first place along each spatial dim: before the image below 0. Elements have at most four
/// bytes. 161002 where the images reach over 4 GiB.
Kernels column_kernels(const char* name, const Tensor& columns, const Tensor& images, const Windows& windows,
                       const WindowValues& first);

}  // namespace aclvk::ops
