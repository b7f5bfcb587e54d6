#pragma once

#include <cstddef>
#include <string_view>

#include "ops/executor/operator.hpp"
#include "ops/kernel/rows.hpp"
#include "ops/softmax/softmax.hpp"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {

// The kernels of shaders/softmax, for checked tensors.

/// A softmax along a dim.
struct SoftmaxRows {
  std::string_view name;
  Softmax kind;
  std::size_t dim;
  runtime::Execution execution;
};

/// Returns a call for the rows of `out`; the caller adds operands.
RowCall softmax_call(const SoftmaxRows& rows, std::string_view shader, const Tensor& out);

Kernels softmax_kernels(const SoftmaxRows& rows, const Tensor& self, const Tensor& out);
Kernels softmax_gradient_kernels(const SoftmaxRows& rows, const Tensor& gradient, const Tensor& result,
                                 const Tensor& out);
/// Variant of the gradient for 32-bit and 16-bit floats with `counts`, one number a row: a row with 0 has gradient 0,
/// even if it holds NaN.
Kernels counted_softmax_gradient_kernels(const SoftmaxRows& rows, const Tensor& gradient, const Tensor& result,
                                         const Tensor& counts, const Tensor& out);

}  // namespace aclvk::ops
