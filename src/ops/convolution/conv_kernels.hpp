#pragma once

#include <cstdint>
#include <optional>

#include "ops/shape/windows.hpp"
#include "ops/staging.hpp"
#include "runtime/device/execution.hpp"

namespace aclvk::ops {

/// A convolution whose attributes have been checked.
struct Convolution {
  const char* name;   ///< the operator's; a string literal
  Windows windows{};  ///< over the input, or, transposed, over the output
  bool transposed = false;
  std::int64_t groups = 1;  ///< of channels, which do not meet
  runtime::Execution execution{};
};

/// Its tensors with any strides, none of them empty but for the batch.
struct ConvolutionTensors {
  Tensor input;   ///< (N, C, ...)
  Tensor weight;  ///< (Cout, C / groups, ...), or, transposed, (C, Cout / groups, ...)
  std::optional<Tensor> bias;
  Tensor output;  ///< (N, Cout, ...)
};

Kernels convolution_kernels(const Convolution& convolution, const ConvolutionTensors& tensors, Staging& staging);

}  // namespace aclvk::ops
