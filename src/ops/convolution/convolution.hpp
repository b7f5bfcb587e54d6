#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

// Convolutions, as PyTorch defines them: no kernel is turned round. Sums are made in float and rounded once.

/// What aclnnConvolution is called with. Arrays have a value for each spatial dim, or one for all.
struct ConvolutionHandles {
  const void* input;
  const void* weight;
  const void* bias;  ///< may be NULL
  const void* stride;
  const void* padding;
  const void* dilation;
  bool transposed;
  const void* output_padding;
  std::int64_t groups;
  const void* output;
  std::int8_t cube_math_type;
};

/// Over one, two or three spatial dims: (N, C, ...).
std::shared_ptr<Executor> plan_convolution(const ConvolutionHandles& handles);
/// aclnnConvDepthwise2d: each channel on its own, or several results for each.
std::shared_ptr<Executor> plan_conv_depthwise(const ConvolutionHandles& handles, const void* kernel_size);
/// aclnnQuantConvolution, aclnnQuantConvolutionWeightNz: of INT8 numbers, summed in integers; a sum, with an integer
/// bias, is multiplied with a scale, and a bias of floats is added to that.
struct QuantConvolutionHandles {
  ConvolutionHandles convolution;
  const void* scale;
  const void* offset;
  std::int32_t offset_x;   ///< what the padding holds
  const char* round_mode;  ///< for results that are no floats
};
std::shared_ptr<Executor> plan_quant_convolution(const char* name, const QuantConvolutionHandles& handles);
/// aclnnConvTbc: over time, with tensors of (time, batch, channel) and a weight of (time, C, Cout).
std::shared_ptr<Executor> plan_conv_tbc(const ConvolutionHandles& handles, std::int64_t pad);

/// What aclnnConvolutionBackward is called with, and, as far as it has that, aclnnConvTbcBackward. A gradient that the
/// mask leaves out may be NULL.
struct ConvolutionGradientHandles {
  const void* gradient;  ///< of the output
  const void* input;
  const void* weight;
  const void* input_out;
  const void* weight_out;
  const void* bias_out;
  std::int8_t cube_math_type;
  const void* bias_sizes = nullptr;
  const void* stride = nullptr;
  const void* padding = nullptr;
  const void* dilation = nullptr;
  bool transposed = false;
  const void* output_padding = nullptr;
  std::int64_t groups = 1;
  const void* mask = nullptr;
};
std::shared_ptr<Executor> plan_convolution_backward(const ConvolutionGradientHandles& handles);
std::shared_ptr<Executor> plan_conv_tbc_backward(const ConvolutionGradientHandles& handles, const void* bias,
                                                 std::int64_t pad);

}  // namespace aclvk::ops
