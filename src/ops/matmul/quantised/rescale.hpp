#pragma once

#include "ops/executor/operator.hpp"

namespace aclvk::ops {

// Dequantisation and requantisation, shaders/matmul/quantised/rescale.comp. Tensors broadcast to `out`; null ones are
// absent. Computed in float; INT32 to INT32 in double-float arithmetic. Integer results are rounded to nearest even and
// saturate.

/// Returns kernels of out = (x + offset) * scale.
Kernels dequantize_kernels(const char* name, const Tensor& x, const Tensor* offset, const Tensor* scale,
                           const Tensor& out);
/// Returns kernels of out = sum * scale * row_scale + addend.
Kernels rescale_kernels(const char* name, const Tensor& sum, const Tensor* scale, const Tensor* row_scale,
                        const Tensor* addend, const Tensor& out);

}  // namespace aclvk::ops
