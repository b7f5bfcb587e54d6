// The operators of this folder.
#include <memory>

#include "ops/args/convolution.hpp"
#include "ops/convolution/convolution.hpp"
#include "ops/convolution/fractal_z.hpp"

namespace aclvk::ops {
namespace {

// Operators whose arguments differ in their type alone.

template <typename Args>
std::shared_ptr<Executor> plan_quantised(const Args& args) {
  return plan_quant_convolution(
      args.kOperator, {{args.input, args.weight, args.bias, args.stride, args.padding, args.dilation, args.transposed,
                        args.outputPadding, args.groups, args.output, 0},
                       args.scale,
                       args.offset,
                       args.offsetx,
                       args.roundMode.handle});
}

}  // namespace

std::shared_ptr<Executor> plan(const ConvolutionArgs& args) {
  return plan_convolution({args.input, args.weight, args.bias, args.stride, args.padding, args.dilation,
                           args.transposed, args.outputPadding, args.groups, args.output, args.cubeMathType});
}
std::shared_ptr<Executor> plan(const ConvDepthwise2dArgs& args) {
  return plan_conv_depthwise({args.self,
                              args.weight,
                              args.bias,
                              args.stride,
                              args.padding,
                              args.dilation,
                              false,
                              {},
                              0,
                              args.out,
                              args.cubeMathType},
                             args.kernelSize);
}
std::shared_ptr<Executor> plan(const ConvTbcArgs& args) {
  return plan_conv_tbc({args.self, args.weight, args.bias, {}, {}, {}, false, {}, 1, args.output, args.cubeMathType},
                       args.pad);
}
std::shared_ptr<Executor> plan(const ConvolutionBackwardArgs& args) {
  return plan_convolution_backward({args.gradOutput, args.input, args.weight, args.gradInput, args.gradWeight,
                                    args.gradBias, args.cubeMathType, args.biasSizes, args.stride, args.padding,
                                    args.dilation, args.transposed, args.outputPadding, args.groups, args.outputMask});
}
std::shared_ptr<Executor> plan(const ConvTbcBackwardArgs& args) {
  return plan_conv_tbc_backward(
      {args.self, args.input, args.weight, args.gradInput, args.gradWeight, args.gradBias, args.cubeMathType},
      args.bias, args.pad);
}
std::shared_ptr<Executor> plan(const QuantConvolutionArgs& args) { return plan_quantised(args); }
std::shared_ptr<Executor> plan(const QuantConvolutionWeightNzArgs& args) { return plan_quantised(args); }

}  // namespace aclvk::ops
