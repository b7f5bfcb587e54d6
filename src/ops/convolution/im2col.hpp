#pragma once

#include "ops/convolution/rows.hpp"

namespace aclvk::ops {

/// Writes the columns of a convolution, (N, C, the window's places, places), row-major, to `columns`, elements of at
/// most four bytes.
Kernels im2col_kernels(const char* name, const WindowRows& rows, const Tensor& columns);

}  // namespace aclvk::ops
