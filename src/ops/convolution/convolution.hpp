#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// Convolutions as in PyTorch, that is, cross-correlations: windows are not flipped. Sums are made in float and rounded
// once.

/// The arguments of aclnnConvolution. Arrays have a value for each spatial dim, or one for all.
struct ConvolutionHandles {
  InputArg input;
  InputArg weight;
  InputArg bias;  ///< may be NULL
  IntArrayArg stride;
  IntArrayArg padding;
  IntArrayArg dilation;
  bool transposed;
  IntArrayArg output_padding;
  std::int64_t groups;
  OutputArg output;
  std::int8_t cube_math_type;
};

/// Plans aclnnConvolution over one, two or three spatial dims: (N, C, ...).
std::shared_ptr<Executor> plan_convolution(const ConvolutionHandles& handles);
/// Plans aclnnConvDepthwise2d: each channel is convolved separately and has one or more output channels.
std::shared_ptr<Executor> plan_conv_depthwise(const ConvolutionHandles& handles, const IntArrayArg& kernel_size);
/// The arguments of aclnnQuantConvolution and aclnnQuantConvolutionWeightNz: INT8 factors, integer sums. An integer
/// bias is added before the scale, a floating one after it.
struct QuantConvolutionHandles {
  ConvolutionHandles convolution;
  InputArg scale;
  InputArg offset;
  std::int32_t offset_x;   ///< the value of the padding
  const char* round_mode;  ///< for integer results
};
std::shared_ptr<Executor> plan_quant_convolution(const char* name, const QuantConvolutionHandles& handles);
/// Plans aclnnConvTbc over time, with tensors (time, batch, channel) and a weight (time, C, Cout).
std::shared_ptr<Executor> plan_conv_tbc(const ConvolutionHandles& handles, std::int64_t pad);

/// The arguments of aclnnConvolutionBackward, a superset of those of aclnnConvTbcBackward. A gradient that `mask`
/// excludes may be NULL.
struct ConvolutionGradientHandles {
  InputArg gradient;  ///< gradient of the output
  InputArg input;
  InputArg weight;
  OutputArg input_out;
  OutputArg weight_out;
  OutputArg bias_out;
  std::int8_t cube_math_type;
  IntArrayArg bias_sizes{};
  IntArrayArg stride{};
  IntArrayArg padding{};
  IntArrayArg dilation{};
  bool transposed = false;
  IntArrayArg output_padding{};
  std::int64_t groups = 1;
  BoolArrayArg mask{};
};
/// Plans aclnnConvolutionBackward.
std::shared_ptr<Executor> plan_convolution_backward(const ConvolutionGradientHandles& handles);
/// Plans aclnnConvTbcBackward.
std::shared_ptr<Executor> plan_conv_tbc_backward(const ConvolutionGradientHandles& handles, const InputArg& bias,
                                                 std::int64_t pad);

}  // namespace aclvk::ops
