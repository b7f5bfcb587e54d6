// The operators of this folder.
#include <memory>

#include "ops/args/optimizer.hpp"
#include "ops/optimizer/adam.hpp"
#include "ops/optimizer/adam_quant.hpp"
#include "ops/optimizer/apply_adam.hpp"
#include "ops/optimizer/ema_adam.hpp"
#include "ops/optimizer/loss_scale.hpp"
#include "ops/optimizer/sgd.hpp"

namespace aclvk::ops {

std::shared_ptr<Executor> plan(const ApplyAdamWV2Args& args) {
  return plan_adam({args.varRef, args.mRef, args.vRef, args.maxGradNormOptionalRef, args.grad, args.step},
                   {args.lr, args.beta1, args.beta2, args.weightDecay, args.eps, args.amsgrad, args.maximize});
}
std::shared_ptr<Executor> plan(const ApplyAdamArgs& args) {
  return plan_apply_adam(args.kOperator,
                         {args.varRef,
                          args.m,
                          args.v,
                          args.beta1Power,
                          args.beta2Power,
                          args.lr,
                          {},
                          args.beta1,
                          args.beta2,
                          args.epsilon,
                          args.grad,
                          {}},
                         {false, args.useNesterov, false, false});
}
std::shared_ptr<Executor> plan(const ApplyAdamWArgs& args) {
  return plan_apply_adam(args.kOperator,
                         {args.varRef, args.mRef, args.vRef, args.beta1Power, args.beta2Power, args.lr,
                          args.weightDecay, args.beta1, args.beta2, args.eps, args.grad, args.maxGradNormOptional},
                         {true, false, args.amsgrad, args.maximize});
}
std::shared_ptr<Executor> plan(const ApplyFusedEmaAdamArgs& args) {
  return plan_ema_adam({args.grad, args.varRef, args.mRef, args.vRef, args.sRef, args.step},
                       {{args.lr, args.beta1, args.beta2, args.weightDecay, args.eps, false, false},
                        args.emaDecay,
                        args.mode,
                        args.biasCorrection});
}
std::shared_ptr<Executor> plan(const ApplyAdamWQuantArgs& args) {
  return plan_quant_adam(
      {args.varRef, args.grad, args.mRef, args.vRef, args.qmapM, args.qmapV, args.absmaxMRef, args.absmaxVRef,
       args.step, args.quantModeOptional.handle},
      {{args.lr, args.beta1, args.beta2, args.weightDecay, args.eps, false, false}, args.gnormScale, args.blockSize});
}
std::shared_ptr<Executor> plan(const FusedAdamwArgs& args) {
  return plan_adam_of_lists({args.paramsRef, args.grads, args.expAvgsRef, args.expAvgSqsRef, args.maxExpAvgSqsRef,
                             args.stateSteps, args.gradScaleOptional, args.foundInfOptional},
                            {args.lr, args.beta1, args.beta2, args.weightDecay, args.eps, args.amsgrad, args.maximize});
}
std::shared_ptr<Executor> plan(const AmpUpdateScaleArgs& args) {
  return plan_loss_scale(
      {args.currentScale, args.growthTracker, args.foundInf, args.updatedScale, args.updatedGrowthTracker},
      {args.growthFactor, args.backoffFactor, args.growthInterval});
}
std::shared_ptr<Executor> plan(const FusedSgdArgs& args) {
  return plan_sgd_of_lists(
      {args.paramsRef, args.gradsRef, args.momentumBufferListOptionalRef, args.gradScaleOptional},
      {args.weightDecay, args.momentum, args.lr, args.dampening, args.nesterov, args.maximize, args.isFirstStep});
}

}  // namespace aclvk::ops
