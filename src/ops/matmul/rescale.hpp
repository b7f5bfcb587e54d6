#pragma once

#include "ops/operator.hpp"

namespace aclvk::ops {

// Quantised numbers and their own: shaders/matmul/rescale.comp. Tensors broadcast to `out`; those that are null are not
// there. Computed in float, where an INT32 becomes an INT32 with twice the digits; an integer result is rounded to even
// and saturates.

/// out = (x + offset) * scale.
Kernels dequantize_kernels(const char* name, const Tensor& x, const Tensor* offset, const Tensor* scale,
                           const Tensor& out);
/// out = sum * scale * row_scale + shift.
Kernels rescale_kernels(const char* name, const Tensor& sum, const Tensor* scale, const Tensor* row_scale,
                        const Tensor* addend, const Tensor& out);

}  // namespace aclvk::ops
