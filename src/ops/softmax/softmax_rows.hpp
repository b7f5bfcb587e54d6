#pragma once

#include <cstddef>
#include <string_view>

#include "ops/executor/operator.hpp"
#include "ops/kernel/rows.hpp"
#include "ops/softmax/softmax.hpp"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {

// The kernels of shaders/softmax, for checked tensors.

/// Returns a call for the rows of `out` along `dim`; the caller adds operands.
RowCall softmax_call(std::string_view name, std::string_view shader, const Tensor& out, std::size_t dim, Softmax kind);

Kernels softmax_kernels(std::string_view name, Softmax kind, const Tensor& self, std::size_t dim, const Tensor& out,
                        runtime::Execution execution);
Kernels softmax_gradient_kernels(std::string_view name, Softmax kind, const Tensor& gradient, const Tensor& result,
                                 std::size_t dim, const Tensor& out, runtime::Execution execution);
/// Variant of the gradient for 32-bit and 16-bit floats with `counts`, one number a row: a row with 0 has gradient 0,
/// even if it holds NaN.
Kernels softmax_gradient_kernels(std::string_view name, Softmax kind, const Tensor& gradient, const Tensor& result,
                                 const Tensor& counts, std::size_t dim, const Tensor& out,
                                 runtime::Execution execution);

}  // namespace aclvk::ops
