#include "ops/loss/loss.hpp"

#include "api/aclnn/pointwise.hpp"
#include "ops/loss/chamfer.hpp"
#include "ops/loss/cross_entropy.hpp"
#include "ops/loss/ctc.hpp"
#include "ops/loss/multilabel.hpp"
#include "ops/loss/nll.hpp"
#include "ops/loss/tables.hpp"
#include "ops/loss/vocabulary.hpp"

using aclvk::api::argument;
using aclvk::ops::BinaryOp;
using aclvk::ops::LossGradientOp;
using aclvk::ops::LossOp;
using aclvk::ops::plan_chamfer_gradient;
using aclvk::ops::plan_cross_entropy;
using aclvk::ops::plan_cross_entropy_gradient;
using aclvk::ops::plan_ctc_gradient;
using aclvk::ops::plan_ctc_loss;
using aclvk::ops::plan_index_logit;
using aclvk::ops::plan_linear_loss_gradient;
using aclvk::ops::plan_linear_max_sum;
using aclvk::ops::plan_loss;
using aclvk::ops::plan_loss_gradient;
using aclvk::ops::plan_max_sum_loss;
using aclvk::ops::plan_multilabel_margin;
using aclvk::ops::plan_nll;
using aclvk::ops::plan_nll_gradient;
using aclvk::ops::plan_softmax_cross_entropy;
using aclvk::ops::row_of;
using aclvk::ops::Target;
using aclvk::ops::UnaryOp;
using aclvk::ops::WeightedLossOp;

// Losses and their gradients: of elements, the rows of ops/loss/*.def, and of classes.
// clang-format off
#define CALL(function, op, out, ...) \
  {#function, row_of(op), {__VA_ARGS__}, NAMED(out), reduction}
#define CALL_BETA(function, op, out, ...) \
  {#function, row_of(op), {__VA_ARGS__}, NAMED(out), reduction, beta}
#define CALL_AS_SELF(function, op, out, ...) \
  {#function, row_of(op), {__VA_ARGS__}, NAMED(out), reduction, 0, Target::kAsSelf}
#define CALL_KEEPING_DIMS(function, op, out, ...) \
  {#function, row_of(op), {__VA_ARGS__}, NAMED(out), reduction, 0, Target::kBroadcasts, true}
#define LOSS(function, op, out) \
  OPERATOR(function, plan_loss(CALL(function, op, out, NAMED(self), NAMED(target))))
#define GRADIENT(function, op, out) \
  OPERATOR(function, plan_loss_gradient(CALL(function, op, out, NAMED(gradOutput), NAMED(self), NAMED(target))))
/// An attribute picks the row.
#define LOSS_OF(function, logarithm, of_logarithm, out) LOSS(function, logTarget ? of_logarithm : logarithm, out)
#define GRADIENT_OF(function, logarithm, of_logarithm, out) GRADIENT(function, logTarget ? of_logarithm : logarithm, out)

extern "C" {

LOSS(aclnnL1Loss, BinaryOp::kDistance, out)
LOSS(aclnnMseLoss, LossOp::kMse, out)
OPERATOR(aclnnMseLossOut,
         plan_loss(CALL_KEEPING_DIMS(aclnnMseLossOut, LossOp::kMse, out, NAMED(self), NAMED(target))))
LOSS(aclnnSoftMarginLoss, LossOp::kSoftMargin, out)
LOSS_OF(aclnnKlDiv, LossOp::kKlDiv, LossOp::kKlDivLogTarget, out)
OPERATOR(aclnnSmoothL1Loss,
         plan_loss(CALL_BETA(aclnnSmoothL1Loss, LossOp::kSmoothL1, result, NAMED(self), NAMED(target))))

GRADIENT(aclnnL1LossBackward, LossGradientOp::kL1, gradInput)
GRADIENT(aclnnMseLossBackward, LossGradientOp::kMse, out)
GRADIENT(aclnnSoftMarginLossBackward, LossGradientOp::kSoftMargin, out)
GRADIENT_OF(aclnnKlDivBackward, LossGradientOp::kKlDiv, LossGradientOp::kKlDivLogTarget, out)
GRADIENT_OF(aclnnKlDivTargetBackward, LossGradientOp::kKlDivTarget, LossGradientOp::kKlDivTargetLogTarget, gradTarget)
OPERATOR(aclnnSmoothL1LossBackward,
         plan_loss_gradient(CALL_BETA(aclnnSmoothL1LossBackward, LossGradientOp::kSmoothL1, gradInput,
                                      NAMED(gradOut), NAMED(self), NAMED(target))))

OPERATOR(aclnnBinaryCrossEntropy,
         plan_loss(CALL_AS_SELF(aclnnBinaryCrossEntropy, WeightedLossOp::kBce, out,
                                NAMED(self), NAMED(target), NAMED(weight))))
OPERATOR(aclnnBinaryCrossEntropyBackward,
         plan_loss_gradient(CALL_AS_SELF(aclnnBinaryCrossEntropyBackward, WeightedLossOp::kBceGradient, out,
                                         NAMED(gradOutput), NAMED(self), NAMED(target), NAMED(weightOptional))))
OPERATOR(aclnnBinaryCrossEntropyWithLogits,
         plan_loss(CALL_AS_SELF(aclnnBinaryCrossEntropyWithLogits, WeightedLossOp::kBceWithLogits, out,
                                NAMED(self), NAMED(target), NAMED(weightOptional), NAMED(posWeightOptional))))
#define LOGITS_GRADIENT(function, op, out)                                                                    \
  OPERATOR(function, plan_loss_gradient(CALL_AS_SELF(function, op, out, NAMED(gradOutput), NAMED(self),       \
                                                     NAMED(target), NAMED(weightOptional), NAMED(posWeightOptional))))
LOGITS_GRADIENT(aclnnBinaryCrossEntropyWithLogitsBackward, WeightedLossOp::kBceWithLogitsGradient, out)
LOGITS_GRADIENT(aclnnBinaryCrossEntropyWithLogitsTargetBackward, WeightedLossOp::kBceWithLogitsTarget, gradTarget)

OPERATOR(aclnnMultilabelMarginLoss, plan_multilabel_margin(self, target, reduction, out, isTarget))
OPERATOR(aclnnCtcLoss,
         plan_ctc_loss({logProbs, targets, inputLengths, targetlengths, "targetlengths", blank, zeroInfinity},
                       negLogLikelihoodOut, logAlphaOut))
OPERATOR(aclnnCtcLossBackward,
         plan_ctc_gradient({logProbs, targets, inputLengths, targetLengths, "targetLengths", blank, zeroInfinity},
                           {gradOut, negLogLikelihood, logAlpha, out}))
OPERATOR(aclnnChamferDistanceBackward,
         plan_chamfer_gradient({{xyz1, xyz2}, {idx1, idx2}, {gradDist1, gradDist2}, {gradXyz1, gradXyz2}}))
ROW_OF(aclnnLogit, UnaryOp::kLogit)
ROW_OF(aclnnLogitGrad, LossOp::kLogitGradient)

#define NLL(function, images) \
  OPERATOR(function, plan_nll(#function, {self, target, weight, reduction, ignoreIndex, images}, out, totalWeightOut))
#define NLL_GRADIENT(function, images)                                                                            \
  OPERATOR(function, plan_nll_gradient(#function, gradOutput, {self, target, weight, reduction, ignoreIndex, images}, \
                                       totalWeight, out))
NLL(aclnnNLLLoss, false)
NLL(aclnnNLLLoss2d, true)
NLL_GRADIENT(aclnnNLLLossBackward, false)
NLL_GRADIENT(aclnnNLLLoss2dBackward, true)

OPERATOR(aclnnCrossEntropyLoss,
         plan_cross_entropy({target, weightOptional, reductionOptional, ignoreIndex, labelSmoothing, lseSquareScaleForZloss},
                            input, returnZloss, {lossOut, logProbOut, zlossOut, lseForZlossOut}))
OPERATOR(aclnnCrossEntropyLossGrad,
         plan_cross_entropy_gradient(
             {target, weightOptional, reductionOptional, ignoreIndex, labelSmoothing, lseSquareScaleForZloss},
             {gradLoss, logProb, gradZlossOptional, lseForZlossOptional}, out))
OPERATOR(aclnnSoftmaxCrossEntropyWithLogits, plan_softmax_cross_entropy(features, labels, loss, backprop))

OPERATOR(aclnnCrossEntropySumExpAndIndexLogit,
         plan_index_logit({vocabParallelLogits, target, globalLogitsMax, predictedLogitsOut, sumExpLogitsOut,
                           expLogitsOut, targetOffsetOut, targetMaskOut},
                          {vocabStartIndex, vocabEndIndex}))
OPERATOR(aclnnFusedLinearOnlineMaxSum,
         plan_linear_max_sum({input, weight, target, logitsMaxLocalOut, sumExpLogitsLocalOut, predictedLogitsLocalOut,
                              targetMaskOut, maskedTargetOut, vocabParallelLogitsOutOptional},
                             {vocabStartIndex, vocabEndIndex}))
OPERATOR(aclnnFusedCrossEntropyLossWithMaxSum,
         plan_max_sum_loss({logitsMax, sumExpLogits, predictedLogits, inputOptional, weightOptional,
                            vocabParallelLogitsOptional, lossOut, softMaxOutOptional},
                           labelSmoothing))
OPERATOR(aclnnFusedLinearCrossEntropyLossGrad,
         plan_linear_loss_gradient({grad, input, weight, targetMask, maskedTarget, logitsMaxOptional,
                                    sumExpLogitsOptional, softmaxOptional, inputGradOut, weightGradOut},
                                   labelSmoothing))

}  // extern "C"
// clang-format on
