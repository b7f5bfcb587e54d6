#pragma once

#include "ops/convolution/rows.hpp"

namespace aclvk::ops {

/// Returns the kernel that writes the columns of a convolution (im2col), (N, C, taps, positions), row-major, to
/// `columns`. Elements have at most four bytes.
Kernels im2col_kernels(const char* name, const WindowRows& rows, const Tensor& columns);

}  // namespace aclvk::ops
