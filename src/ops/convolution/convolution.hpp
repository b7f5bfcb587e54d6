#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// Convolutions as in PyTorch, that is, cross-correlations: windows are not flipped. Sums are made in float and rounded
// once.

/// The arguments of aclnnConvolution. Arrays have a value for each spatial dim, or one for all.
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

/// Plans aclnnConvolution over one, two or three spatial dims: (N, C, ...).
std::shared_ptr<Executor> plan_convolution(const ConvolutionHandles& handles);
/// Plans aclnnConvDepthwise2d: each channel is convolved separately and has one or more output channels.
std::shared_ptr<Executor> plan_conv_depthwise(const ConvolutionHandles& handles, const void* kernel_size);
/// The arguments of aclnnQuantConvolution and aclnnQuantConvolutionWeightNz: INT8 factors, integer sums. An integer
/// bias is added before the scale, a floating one after it.
struct QuantConvolutionHandles {
  ConvolutionHandles convolution;
  const void* scale;
  const void* offset;
  std::int32_t offset_x;   ///< the value of the padding
  const char* round_mode;  ///< for integer results
};
std::shared_ptr<Executor> plan_quant_convolution(const char* name, const QuantConvolutionHandles& handles);
/// Plans aclnnConvTbc over time, with tensors (time, batch, channel) and a weight (time, C, Cout).
std::shared_ptr<Executor> plan_conv_tbc(const ConvolutionHandles& handles, std::int64_t pad);

/// The arguments of aclnnConvolutionBackward, a superset of those of aclnnConvTbcBackward. A gradient that `mask`
/// excludes may be NULL.
struct ConvolutionGradientHandles {
  const void* gradient;  ///< gradient of the output
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
/// Plans aclnnConvolutionBackward.
std::shared_ptr<Executor> plan_convolution_backward(const ConvolutionGradientHandles& handles);
/// Plans aclnnConvTbcBackward.
std::shared_ptr<Executor> plan_conv_tbc_backward(const ConvolutionGradientHandles& handles, const void* bias,
                                                 std::int64_t pad);

}  // namespace aclvk::ops
