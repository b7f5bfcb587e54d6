#pragma once

#include <cstdint>

#include "ops/executor/operator.hpp"
#include "ops/kernel/staging.hpp"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {

/// The gradient of a normalisation over the last dims of x. Null for operands that the operator does not have.
struct LayerGradient {
  const char* name;  ///< the operator's C name; a string literal
  runtime::Execution execution;
  std::size_t lead = 0;  ///< leading dims, which are not normalised
  const Tensor* dy = nullptr;
  const Tensor* x = nullptr;
  const Tensor* gamma = nullptr;
  const Tensor* mean = nullptr;   ///< one element a row; null for RmsNorm
  const Tensor* scale = nullptr;  ///< 1 / standard deviation, one element a row
};

/// Null for gradients that are not requested.
struct LayerGradientOutputs {
  const Tensor* dx = nullptr;
  const Tensor* dgamma = nullptr;
  const Tensor* dbeta = nullptr;
};

Kernels layer_gradient_kernels(const LayerGradient& call, const LayerGradientOutputs& outputs, Staging& staging);

}  // namespace aclvk::ops
