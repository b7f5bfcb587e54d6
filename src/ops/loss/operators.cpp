// The operators of this folder.
#include <memory>

#include "ops/args/loss.hpp"
#include "ops/elementwise/pointwise_args.hpp"
#include "ops/loss/chamfer.hpp"
#include "ops/loss/cross_entropy.hpp"
#include "ops/loss/ctc.hpp"
#include "ops/loss/loss.hpp"
#include "ops/loss/nll.hpp"
#include "ops/loss/tables.hpp"
#include "ops/loss/vocabulary.hpp"

namespace aclvk::ops {

std::shared_ptr<Executor> plan(const L1LossArgs& args) {
  return plan_loss({args.kOperator, row_of(BinaryOp::kDistance), {args.self, args.target}, args.out, args.reduction});
}
std::shared_ptr<Executor> plan(const MseLossArgs& args) {
  return plan_loss({args.kOperator, row_of(LossOp::kMse), {args.self, args.target}, args.out, args.reduction});
}
std::shared_ptr<Executor> plan(const MseLossOutArgs& args) {
  return plan_loss({args.kOperator,
                    row_of(LossOp::kMse),
                    {args.self, args.target},
                    args.out,
                    args.reduction,
                    0,
                    Target::kBroadcasts,
                    true});
}
std::shared_ptr<Executor> plan(const SoftMarginLossArgs& args) {
  return plan_loss({args.kOperator, row_of(LossOp::kSoftMargin), {args.self, args.target}, args.out, args.reduction});
}
std::shared_ptr<Executor> plan(const KlDivArgs& args) {
  return plan_loss({args.kOperator,
                    row_of(args.logTarget ? LossOp::kKlDivLogTarget : LossOp::kKlDiv),
                    {args.self, args.target},
                    args.out,
                    args.reduction});
}
std::shared_ptr<Executor> plan(const SmoothL1LossArgs& args) {
  return plan_loss(
      {args.kOperator, row_of(LossOp::kSmoothL1), {args.self, args.target}, args.result, args.reduction, args.beta});
}
std::shared_ptr<Executor> plan(const L1LossBackwardArgs& args) {
  return plan_loss_gradient({args.kOperator,
                             row_of(LossGradientOp::kL1),
                             {args.gradOutput, args.self, args.target},
                             args.gradInput,
                             args.reduction});
}
std::shared_ptr<Executor> plan(const MseLossBackwardArgs& args) {
  return plan_loss_gradient({args.kOperator,
                             row_of(LossGradientOp::kMse),
                             {args.gradOutput, args.self, args.target},
                             args.out,
                             args.reduction});
}
std::shared_ptr<Executor> plan(const SoftMarginLossBackwardArgs& args) {
  return plan_loss_gradient({args.kOperator,
                             row_of(LossGradientOp::kSoftMargin),
                             {args.gradOutput, args.self, args.target},
                             args.out,
                             args.reduction});
}
std::shared_ptr<Executor> plan(const KlDivBackwardArgs& args) {
  return plan_loss_gradient({args.kOperator,
                             row_of(args.logTarget ? LossGradientOp::kKlDivLogTarget : LossGradientOp::kKlDiv),
                             {args.gradOutput, args.self, args.target},
                             args.out,
                             args.reduction});
}
std::shared_ptr<Executor> plan(const KlDivTargetBackwardArgs& args) {
  return plan_loss_gradient(
      {args.kOperator,
       row_of(args.logTarget ? LossGradientOp::kKlDivTargetLogTarget : LossGradientOp::kKlDivTarget),
       {args.gradOutput, args.self, args.target},
       args.gradTarget,
       args.reduction});
}
std::shared_ptr<Executor> plan(const SmoothL1LossBackwardArgs& args) {
  return plan_loss_gradient({args.kOperator,
                             row_of(LossGradientOp::kSmoothL1),
                             {args.gradOut, args.self, args.target},
                             args.gradInput,
                             args.reduction,
                             args.beta});
}
std::shared_ptr<Executor> plan(const BinaryCrossEntropyArgs& args) {
  return plan_loss({args.kOperator,
                    row_of(WeightedLossOp::kBce),
                    {args.self, args.target, args.weight},
                    args.out,
                    args.reduction,
                    0,
                    Target::kAsSelf});
}
std::shared_ptr<Executor> plan(const BinaryCrossEntropyBackwardArgs& args) {
  return plan_loss_gradient({args.kOperator,
                             row_of(WeightedLossOp::kBceGradient),
                             {args.gradOutput, args.self, args.target, args.weightOptional},
                             args.out,
                             args.reduction,
                             0,
                             Target::kAsSelf});
}
std::shared_ptr<Executor> plan(const BinaryCrossEntropyWithLogitsArgs& args) {
  return plan_loss({args.kOperator,
                    row_of(WeightedLossOp::kBceWithLogits),
                    {args.self, args.target, args.weightOptional, args.posWeightOptional},
                    args.out,
                    args.reduction,
                    0,
                    Target::kAsSelf});
}
std::shared_ptr<Executor> plan(const BinaryCrossEntropyWithLogitsBackwardArgs& args) {
  return plan_loss_gradient({args.kOperator,
                             row_of(WeightedLossOp::kBceWithLogitsGradient),
                             {args.gradOutput, args.self, args.target, args.weightOptional, args.posWeightOptional},
                             args.out,
                             args.reduction,
                             0,
                             Target::kAsSelf});
}
std::shared_ptr<Executor> plan(const BinaryCrossEntropyWithLogitsTargetBackwardArgs& args) {
  return plan_loss_gradient({args.kOperator,
                             row_of(WeightedLossOp::kBceWithLogitsTarget),
                             {args.gradOutput, args.self, args.target, args.weightOptional, args.posWeightOptional},
                             args.gradTarget,
                             args.reduction,
                             0,
                             Target::kAsSelf});
}
std::shared_ptr<Executor> plan(const CtcLossArgs& args) {
  return plan_ctc_loss(
      {args.logProbs, args.targets, args.inputLengths, args.targetlengths, args.blank, args.zeroInfinity},
      args.negLogLikelihoodOut, args.logAlphaOut);
}
std::shared_ptr<Executor> plan(const CtcLossBackwardArgs& args) {
  return plan_ctc_gradient(
      {args.logProbs, args.targets, args.inputLengths, args.targetLengths, args.blank, args.zeroInfinity},
      {args.gradOut, args.negLogLikelihood, args.logAlpha, args.out});
}
std::shared_ptr<Executor> plan(const ChamferDistanceBackwardArgs& args) {
  return plan_chamfer_gradient({{args.xyz1, args.xyz2},
                                {args.idx1, args.idx2},
                                {args.gradDist1, args.gradDist2},
                                {args.gradXyz1, args.gradXyz2}});
}
std::shared_ptr<Executor> plan(const LogitArgs& args) { return plan_row(UnaryOp::kLogit, args); }
std::shared_ptr<Executor> plan(const LogitGradArgs& args) { return plan_row(LossOp::kLogitGradient, args); }
std::shared_ptr<Executor> plan(const NLLLossArgs& args) {
  return plan_nll(args.kOperator, {args.self, args.target, args.weight, args.reduction, args.ignoreIndex, false},
                  args.out, args.totalWeightOut);
}
std::shared_ptr<Executor> plan(const NLLLoss2dArgs& args) {
  return plan_nll(args.kOperator, {args.self, args.target, args.weight, args.reduction, args.ignoreIndex, true},
                  args.out, args.totalWeightOut);
}
std::shared_ptr<Executor> plan(const NLLLossBackwardArgs& args) {
  return plan_nll_gradient(args.kOperator, args.gradOutput,
                           {args.self, args.target, args.weight, args.reduction, args.ignoreIndex, false},
                           args.totalWeight, args.out);
}
std::shared_ptr<Executor> plan(const NLLLoss2dBackwardArgs& args) {
  return plan_nll_gradient(args.kOperator, args.gradOutput,
                           {args.self, args.target, args.weight, args.reduction, args.ignoreIndex, true},
                           args.totalWeight, args.out);
}
std::shared_ptr<Executor> plan(const CrossEntropyLossArgs& args) {
  return plan_cross_entropy({args.target, args.weightOptional, args.reductionOptional.handle, args.ignoreIndex,
                             args.labelSmoothing, args.lseSquareScaleForZloss},
                            args.input, args.returnZloss,
                            {args.lossOut, args.logProbOut, args.zlossOut, args.lseForZlossOut});
}
std::shared_ptr<Executor> plan(const CrossEntropyLossGradArgs& args) {
  return plan_cross_entropy_gradient({args.target, args.weightOptional, args.reductionOptional.handle, args.ignoreIndex,
                                      args.labelSmoothing, args.lseSquareScaleForZloss},
                                     {args.gradLoss, args.logProb, args.gradZlossOptional, args.lseForZlossOptional},
                                     args.out);
}
std::shared_ptr<Executor> plan(const CrossEntropySumExpAndIndexLogitArgs& args) {
  return plan_index_logit({args.vocabParallelLogits, args.target, args.globalLogitsMax, args.predictedLogitsOut,
                           args.sumExpLogitsOut, args.expLogitsOut, args.targetOffsetOut, args.targetMaskOut},
                          {args.vocabStartIndex, args.vocabEndIndex});
}
std::shared_ptr<Executor> plan(const FusedLinearOnlineMaxSumArgs& args) {
  return plan_linear_max_sum(
      {args.input, args.weight, args.target, args.logitsMaxLocalOut, args.sumExpLogitsLocalOut,
       args.predictedLogitsLocalOut, args.targetMaskOut, args.maskedTargetOut, args.vocabParallelLogitsOutOptional},
      {args.vocabStartIndex, args.vocabEndIndex});
}
std::shared_ptr<Executor> plan(const FusedLinearCrossEntropyLossGradArgs& args) {
  return plan_linear_loss_gradient(
      {args.grad, args.input, args.weight, args.targetMask, args.maskedTarget, args.logitsMaxOptional,
       args.sumExpLogitsOptional, args.softmaxOptional, args.inputGradOut, args.weightGradOut},
      args.labelSmoothing);
}

}  // namespace aclvk::ops
