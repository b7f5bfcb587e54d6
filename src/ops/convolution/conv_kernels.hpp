#pragma once

#include <cstdint>
#include <optional>

#include "ops/kernel/staging.hpp"
#include "ops/shape/windows.hpp"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {

/// The checked attributes of a convolution.
struct Convolution {
  const char* name;   ///< the operator's; a string literal
  Windows windows{};  ///< over the input; transposed: over the output
  bool transposed = false;
  std::int64_t groups = 1;  ///< of channels, which are convolved separately
  runtime::Execution execution{};
};

/// The tensors of a convolution, with any strides. Only the batch may be empty.
struct ConvolutionTensors {
  Tensor input;   ///< (N, C, ...)
  Tensor weight;  ///< (Cout, C / groups, ...); transposed: (C, Cout / groups, ...)
  std::optional<Tensor> bias;
  Tensor output;  ///< (N, Cout, ...)
};

/// Returns the kernels of a convolution: a GEMM for 1x1 windows, a direct kernel for depthwise ones, else im2col and a
/// GEMM; a transposed convolution is one such convolution for each phase.
Kernels convolution_kernels(const Convolution& convolution, const ConvolutionTensors& tensors, Staging& staging);

}  // namespace aclvk::ops
