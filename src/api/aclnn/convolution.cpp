// Convolutions and their gradients (ops/convolution).
#include "ops/convolution/convolution.hpp"

#include "api/aclnn/operator.hpp"
#include "ops/convolution/fractal_z.hpp"

using namespace aclvk::ops;

extern "C" {

OPERATOR(aclnnConvolution, plan_convolution({input, weight, bias, stride, padding, dilation, transposed, outputPadding,
                                             groups, output, cubeMathType}))
OPERATOR(aclnnConvDepthwise2d,
         plan_conv_depthwise({self, weight, bias, stride, padding, dilation, false, nullptr, 0, out, cubeMathType},
                             kernelSize))
OPERATOR(aclnnConvTbc,
         plan_conv_tbc({self, weight, bias, nullptr, nullptr, nullptr, false, nullptr, 1, output, cubeMathType}, pad))
OPERATOR(aclnnTransConvolutionWeight, plan_convolution_weight(weightIn, transposed, groups, weightOut))

OPERATOR(aclnnConvolutionBackward,
         plan_convolution_backward({gradOutput, input, weight, gradInput, gradWeight, gradBias, cubeMathType, biasSizes,
                                    stride, padding, dilation, transposed, outputPadding, groups, outputMask}))
OPERATOR(aclnnConvTbcBackward,
         plan_conv_tbc_backward({self, input, weight, gradInput, gradWeight, gradBias, cubeMathType}, bias, pad))

#define QUANT_CONVOLUTION(name)                                                                              \
  OPERATOR(name, plan_quant_convolution(#name, {{input, weight, bias, stride, padding, dilation, transposed, \
                                                 outputPadding, groups, output, 0},                          \
                                                scale,                                                       \
                                                offset,                                                      \
                                                offsetx,                                                     \
                                                roundMode}))
QUANT_CONVOLUTION(aclnnQuantConvolution)
QUANT_CONVOLUTION(aclnnQuantConvolutionWeightNz)

}  // extern "C"
