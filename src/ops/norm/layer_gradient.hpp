#pragma once

#include <cstdint>

#include "ops/operator.hpp"
#include "ops/staging.hpp"
#include "runtime/device/execution.hpp"

namespace aclvk::ops {

/// What a norm over the last dims of x is differentiated from. Null for what it does not have.
struct LayerGradient {
  const char* name;  ///< the operator's; a string literal
  runtime::Execution execution;
  std::size_t lead = 0;  ///< dims that are not normalised
  const Tensor* dy = nullptr;
  const Tensor* x = nullptr;
  const Tensor* gamma = nullptr;
  const Tensor* mean = nullptr;   ///< one for each row
  const Tensor* scale = nullptr;  ///< 1 / deviation, one for each row
};

/// Null for gradients that are not wanted.
struct LayerGradientOutputs {
  const Tensor* dx = nullptr;
  const Tensor* dgamma = nullptr;
  const Tensor* dbeta = nullptr;
};

Kernels layer_gradient_kernels(const LayerGradient& call, const LayerGradientOutputs& outputs, Staging& staging);

}  // namespace aclvk::ops
