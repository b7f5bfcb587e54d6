// The operators of this folder.
#include <memory>

#include "ops/args/norm.hpp"
#include "ops/norm/batch_norm.hpp"
#include "ops/norm/norm.hpp"
#include "ops/norm/norm_gradients.hpp"

namespace aclvk::ops {
namespace {

// Operators whose arguments differ in their type alone.

template <typename Args>
std::shared_ptr<Executor> plan_batch_backward(const Args& args) {
  return plan_batch_norm_backward(
      args.kOperator,
      {args.gradOut, args.input, args.weight, args.runningMean, args.runningVar, args.saveMean, args.saveInvstd,
       args.outputMask, args.gradInput, args.gradWeight, args.gradBias},
      args.training, args.eps);
}

template <typename Args>
std::shared_ptr<Executor> plan_layer(const Args& args) {
  return plan_layer_norm(args.kOperator,
                         {args.input, args.normalizedShape, args.weightOptional, args.biasOptional, args.out,
                          args.meanOutOptional, args.rstdOutOptional},
                         args.eps);
}

}  // namespace

std::shared_ptr<Executor> plan(const BatchNormBackwardArgs& args) { return plan_batch_backward(args); }
std::shared_ptr<Executor> plan(const FastBatchNormBackwardArgs& args) { return plan_batch_backward(args); }
std::shared_ptr<Executor> plan(const BatchNormGatherStatsWithCountsArgs& args) {
  return plan_gather_statistics(args.kOperator,
                                {args.input, args.mean, args.invstd, args.counts, args.runningMean, args.runningVar,
                                 args.meanAll, args.invstdAll},
                                false, args.momentum, args.eps);
}
std::shared_ptr<Executor> plan(const SyncBatchNormGatherStatsArgs& args) {
  return plan_gather_statistics(args.kOperator,
                                {{},
                                 args.totalSum,
                                 args.totalSquareSum,
                                 args.sampleCount,
                                 args.mean,
                                 args.variance,
                                 args.batchMean,
                                 args.batchInvstd},
                                true, static_cast<double>(args.momentum), static_cast<double>(args.eps));
}
std::shared_ptr<Executor> plan(const LayerNormArgs& args) { return plan_layer(args); }
std::shared_ptr<Executor> plan(const FastLayerNormArgs& args) { return plan_layer(args); }
std::shared_ptr<Executor> plan(const LayerNormWithImplModeArgs& args) { return plan_layer(args); }
std::shared_ptr<Executor> plan(const AdaLayerNormArgs& args) {
  return plan_ada_layer_norm(
      args.kOperator, {args.x, args.scale, args.shift, args.weightOptional, args.biasOptional, args.out}, args.epsilon);
}
std::shared_ptr<Executor> plan(const AdaLayerNormV2Args& args) {
  return plan_ada_layer_norm(args.kOperator,
                             {args.x, args.scale, args.shift, args.weightOptional, args.biasOptional, args.out,
                              args.meanOutOptional, args.rstdOutOptional},
                             args.epsilon);
}
std::shared_ptr<Executor> plan(const RmsNormArgs& args) {
  return plan_rms_norm(args.kOperator, {args.x, args.gamma, args.yOut, args.rstdOut}, args.epsilon, false);
}
std::shared_ptr<Executor> plan(const GemmaRmsNormArgs& args) {
  return plan_rms_norm(args.kOperator, {args.x, args.gamma, args.yOut, args.rstdOut}, args.epsilon, true);
}
std::shared_ptr<Executor> plan(const AddRmsNormArgs& args) {
  return plan_add_rms_norm(args.kOperator, {args.x1, args.x2, args.gamma, args.yOut, args.rstdOut, args.xOut},
                           args.epsilon);
}
std::shared_ptr<Executor> plan(const InplaceAddRmsNormArgs& args) {
  return plan_add_rms_norm(
      args.kOperator,
      {args.x1Ref.read(), args.x2Ref.read(), args.gamma, args.x1Ref.written(), args.rstdOut, args.x2Ref.written()},
      args.epsilon);
}
std::shared_ptr<Executor> plan(const AddRmsNormCastArgs& args) {
  return plan_add_rms_norm(args.kOperator,
                           {args.x1, args.x2, args.gamma, args.y2Out, args.rstdOut, args.xOut, args.y1Out, true},
                           args.epsilon);
}
std::shared_ptr<Executor> plan(const GroupNormArgs& args) {
  return plan_sized_group_norm({args.self, args.gamma, args.beta, args.out, args.meanOut, args.rstdOut}, args.N, args.C,
                               args.HxW, args.group, args.eps);
}
std::shared_ptr<Executor> plan(const GroupNormSiluArgs& args) {
  return plan_group_norm(args.kOperator, {args.self, args.gamma, args.beta, args.out, args.meanOut, args.rstdOut},
                         args.group, args.eps, true, 1);
}
std::shared_ptr<Executor> plan(const GroupNormSiluV2Args& args) {
  return plan_group_norm(args.kOperator, {args.self, args.gamma, args.beta, args.out, args.meanOut, args.rstdOut},
                         args.group, args.eps, args.activateSilu, 1);
}
std::shared_ptr<Executor> plan(const GroupNormSwishArgs& args) {
  return plan_group_norm(args.kOperator, {args.x, args.gamma, args.beta, args.yOut, args.meanOut, args.rstdOut},
                         args.numGroups, args.eps, args.activateSwish, args.swishScale);
}
std::shared_ptr<Executor> plan(const LayerNormalizationGradArgs& args) {
  return plan_layer_normalization_grad(
      {args.dy, args.x, args.rstd, args.mean, args.gamma, args.dxOut, args.dgammaOut, args.dbetaOut});
}
std::shared_ptr<Executor> plan(const AddLayerNormGradArgs& args) {
  return plan_add_layer_norm_grad({args.dy, args.x1, args.rstd, args.mean, args.gamma, args.dxOut, args.dgammaOut,
                                   args.dbetaOut, args.x2, args.dsumOptional});
}
std::shared_ptr<Executor> plan(const GroupNormBackwardArgs& args) {
  return plan_group_norm_backward({args.gradOut,
                                   args.input,
                                   args.mean,
                                   args.rstd,
                                   args.gamma,
                                   {},
                                   args.gradInput,
                                   args.gradGammaOut,
                                   args.gradBetaOut},
                                  {args.N, args.C, args.HxW}, args.group, args.outputMask);
}
std::shared_ptr<Executor> plan(const GroupNormSwishGradArgs& args) {
  return plan_group_norm_swish_grad(
      {args.dy, args.x, args.mean, args.rstd, args.gamma, args.beta, args.dxOut, args.dgammaOut, args.dbetaOut},
      args.numGroups, args.dataFormatOptional.handle, args.swishScale, args.dgammaIsRequire, args.dbetaIsRequire);
}

}  // namespace aclvk::ops
