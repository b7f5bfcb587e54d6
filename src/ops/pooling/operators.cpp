// The operators of this folder.
#include <memory>

#include "ops/args/pooling.hpp"
#include "ops/pooling/indexed.hpp"
#include "ops/pooling/mean_gradient.hpp"
#include "ops/pooling/pooling.hpp"

namespace aclvk::ops {

std::shared_ptr<Executor> plan(const AvgPool2dArgs& args) {
  return plan_avg_pool({args.kOperator, 2, args.self, args.out},
                       {args.kernelSize, args.strides, args.paddings, args.ceilMode},
                       {args.countIncludePad, args.divisorOverride}, args.cubeMathType);
}
std::shared_ptr<Executor> plan(const AvgPool3dArgs& args) {
  return plan_avg_pool({args.kOperator, 3, args.self, args.out},
                       {args.kernelSize, args.stride, args.padding, args.ceilMode},
                       {args.countIncludePad, args.divisorOverride});
}
std::shared_ptr<Executor> plan(const AdaptiveAvgPool2dArgs& args) {
  return plan_adaptive_pool(Pool::kMean, {args.kOperator, 2, args.self, args.out}, args.outputSize);
}
std::shared_ptr<Executor> plan(const AdaptiveAvgPool3dArgs& args) {
  return plan_adaptive_pool(Pool::kMean, {args.kOperator, 3, args.self, args.out}, args.outputSize);
}
std::shared_ptr<Executor> plan(const AvgPool2dBackwardArgs& args) {
  return plan_avg_pool_gradient(MeanGradient{args.kOperator, 2, args.gradOutput, args.self, args.gradInput},
                                {args.kernelSize, args.stride, args.padding, args.ceilMode},
                                {args.countIncludePad, args.divisorOverride}, args.cubeMathType);
}
std::shared_ptr<Executor> plan(const AvgPool3dBackwardArgs& args) {
  return plan_avg_pool_gradient(MeanGradient{args.kOperator, 3, args.gradOutput, args.self, args.output},
                                {args.kernelSize, args.stride, args.padding, args.ceilMode},
                                {args.countIncludePad, args.divisorOverride});
}
std::shared_ptr<Executor> plan(const AdaptiveAvgPool2dBackwardArgs& args) {
  return plan_adaptive_mean_gradient(MeanGradient{args.kOperator, 2, args.gradOutput, args.self, args.out});
}
std::shared_ptr<Executor> plan(const AdaptiveAvgPool3dBackwardArgs& args) {
  return plan_adaptive_mean_gradient(MeanGradient{args.kOperator, 3, args.gradOutput, args.self, args.out});
}
std::shared_ptr<Executor> plan(const GlobalAveragePoolArgs& args) {
  return plan_global_pool(Pool::kMean, {args.kOperator, 0, args.self, args.out});
}
std::shared_ptr<Executor> plan(const MaxPoolArgs& args) {
  return plan_onnx_max_pool({args.kOperator, 2, args.self, args.out},
                            {args.kernelShape, args.strides, args.pads, args.ceilMode != 0, true, args.dilations},
                            args.autoPad, args.ceilMode);
}
std::shared_ptr<Executor> plan(const MaxPool2dWithIndicesArgs& args) {
  return plan_max_pool({args.kOperator, 2, args.self, args.out, true, args.indices},
                       {args.kernelSize, args.stride, args.padding, args.ceilMode, true, args.dilation});
}
std::shared_ptr<Executor> plan(const MaxPoolWithArgmaxV3Args& args) {
  return plan_max_pool({args.kOperator, 2, args.x, args.yOut, true, args.argmaxOut},
                       {args.kernelSize, args.strides, args.pads, args.ceilMode, true, args.dilations});
}
std::shared_ptr<Executor> plan(const MaxPool3dWithArgmaxArgs& args) {
  return plan_max_pool({args.kOperator, 3, args.self, args.out, true, args.indices},
                       {args.kernelSize, args.stride, args.padding, args.ceilMode, true, args.dilation});
}
std::shared_ptr<Executor> plan(const MaxPool2dWithMaskArgs& args) {
  return plan_masked_max_pool({args.kOperator, 2, args.self, args.out, true, args.indices},
                              {args.kernelSize, args.stride, args.padding, args.ceilMode, true, args.dilation});
}
std::shared_ptr<Executor> plan(const MaxPool2dWithMaskBackwardArgs& args) {
  return plan_masked_gradient({args.kOperator, 2, args.self, args.gradInput}, args.gradOutput, args.indices,
                              {args.kernelSize, args.stride, args.padding, args.ceilMode, true, args.dilation});
}
std::shared_ptr<Executor> plan(const MaxPool2dWithIndicesBackwardArgs& args) {
  return plan_max_pool_gradient(
      IndexedGradient{args.kOperator, 2, args.gradOutput, args.self, args.indices, args.gradInput},
      {args.kernelSize, args.stride, args.padding, args.ceilMode, true, args.dilation});
}
std::shared_ptr<Executor> plan(const MaxPool3dWithArgmaxBackwardArgs& args) {
  return plan_max_pool_gradient(
      IndexedGradient{args.kOperator, 3, args.gradOutput, args.self, args.indices, args.gradInput},
      {args.kernelSize, args.stride, args.padding, args.ceilMode, true, args.dilation});
}
std::shared_ptr<Executor> plan(const AdaptiveMaxPool2dBackwardArgs& args) {
  return plan_adaptive_max_gradient(
      IndexedGradient{args.kOperator, 2, args.gradOutput, args.self, args.indices, args.gradInput});
}
std::shared_ptr<Executor> plan(const AdaptiveMaxPool3dBackwardArgs& args) {
  return plan_adaptive_max_gradient(
      IndexedGradient{args.kOperator, 3, args.gradOutput, args.self, args.indices, args.gradInput});
}
std::shared_ptr<Executor> plan(const MaxUnpool2dArgs& args) {
  return plan_unpool({args.kOperator, 2, args.self, args.indices, args.outputSize, args.out});
}
std::shared_ptr<Executor> plan(const MaxUnpool2dBackwardArgs& args) {
  return plan_unpool_gradient({args.kOperator, 2, args.self, args.indices, args.outputSize, args.out}, args.gradOutput);
}
std::shared_ptr<Executor> plan(const MaxUnpool3dArgs& args) {
  return plan_unpool({args.kOperator, 3, args.self, args.indices, args.outputSize, args.outRef.written(), true,
                      args.stride, args.padding});
}
std::shared_ptr<Executor> plan(const MaxUnpool3dBackwardArgs& args) {
  return plan_unpool_gradient(
      {args.kOperator, 3, args.self, args.indices, args.outputSize, args.out, true, args.stride, args.padding},
      args.gradOutput);
}
std::shared_ptr<Executor> plan(const AdaptiveMaxPool2dArgs& args) {
  return plan_adaptive_pool(Pool::kMaximum, {args.kOperator, 2, args.self, args.outputOut, true, args.indicesOut},
                            args.outputSize);
}
std::shared_ptr<Executor> plan(const AdaptiveMaxPool3dArgs& args) {
  return plan_adaptive_pool(Pool::kMaximum, {args.kOperator, 3, args.self, args.outputOut, true, args.indicesOut},
                            args.outputSize);
}
std::shared_ptr<Executor> plan(const GlobalMaxPoolArgs& args) {
  return plan_global_pool(Pool::kMaximum, {args.kOperator, 0, args.self, args.out});
}

}  // namespace aclvk::ops
