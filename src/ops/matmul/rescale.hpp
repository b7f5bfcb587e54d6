#pragma once

#include "ops/operator.hpp"
#include "ops/staging.hpp"

namespace aclvk::ops {

// Quantised numbers and their own: shaders/matmul/rescale.comp. Tensors broadcast to `out`; those that are null are not
// there. Computed in float; an integer result is rounded to even and saturates.

/// out = (x + offset) * scale.
Kernels dequantize_kernels(const char* name, const Tensor& x, const Tensor* offset, const Tensor* scale,
                           const Tensor& out);
/// out = sum * scale * row_scale + shift.
Kernels rescale_kernels(const char* name, const Tensor& sum, const Tensor* scale, const Tensor* row_scale,
                        const Tensor* shift, const Tensor& out);

/// Integers of four bits as INT8, in the workspace: an INT4 tensor, or an INT32 tensor of eights, whose last dim, or
/// that with stride 1, has eight times as many then. Another tensor as it is. 161002 for one of four bits whose
/// elements have gaps, or are not whole words of eight.
Tensor unpacked(const char* name, const Tensor& tensor, Staging& staging, Kernels& before);
/// Its shape.
Shape unpacked_shape(const char* name, const Tensor& tensor);
bool is_packed(const Tensor& tensor);

/// A scale for the elements as FLOAT: the lower half of UINT64 or INT64 numbers, which hold a float; others as they
/// are.
Tensor float_scale(const Tensor& scale);

}  // namespace aclvk::ops
