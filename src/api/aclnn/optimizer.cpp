#include "api/aclnn/pointwise.hpp"
#include "ops/optimizer/adam.hpp"
#include "ops/optimizer/adam_quant.hpp"
#include "ops/optimizer/apply_adam.hpp"
#include "ops/optimizer/ema_adam.hpp"
#include "ops/optimizer/loss_scale.hpp"
#include "ops/optimizer/sgd.hpp"

using aclvk::ops::plan_adam;
using aclvk::ops::plan_adam_of_lists;
using aclvk::ops::plan_apply_adam;
using aclvk::ops::plan_ema_adam;
using aclvk::ops::plan_loss_scale;
using aclvk::ops::plan_quant_adam;
using aclvk::ops::plan_sgd_of_lists;

// Steps of optimizers.
// clang-format off
extern "C" {

OPERATOR(aclnnApplyAdamWV2, plan_adam({varRef, mRef, vRef, maxGradNormOptionalRef, grad, step},
                                      {lr, beta1, beta2, weightDecay, eps, amsgrad, maximize}))
OPERATOR(aclnnApplyAdam,
         plan_apply_adam("aclnnApplyAdam", {varRef, m, "m", v, "v", beta1Power, beta2Power, lr, nullptr, beta1, beta2,
                                            epsilon, "epsilon", grad, nullptr},
                         {false, useNesterov, false, false}))
OPERATOR(aclnnApplyAdamW,
         plan_apply_adam("aclnnApplyAdamW", {varRef, mRef, "mRef", vRef, "vRef", beta1Power, beta2Power, lr,
                                             weightDecay, beta1, beta2, eps, "eps", grad, maxGradNormOptional},
                         {true, false, amsgrad, maximize}))
OPERATOR(aclnnApplyFusedEmaAdam,
         plan_ema_adam({grad, varRef, mRef, vRef, sRef, step},
                       {{lr, beta1, beta2, weightDecay, eps, false, false}, emaDecay, mode, biasCorrection}))
OPERATOR(aclnnApplyAdamWQuant,
         plan_quant_adam({varRef, grad, mRef, vRef, qmapM, qmapV, absmaxMRef, absmaxVRef, step, quantModeOptional},
                         {{lr, beta1, beta2, weightDecay, eps, false, false}, gnormScale, blockSize}))
OPERATOR(aclnnFusedAdamw,
         plan_adam_of_lists({paramsRef, grads, expAvgsRef, expAvgSqsRef, maxExpAvgSqsRef, stateSteps, gradScaleOptional,
                             foundInfOptional},
                            {lr, beta1, beta2, weightDecay, eps, amsgrad, maximize}))
OPERATOR(aclnnAmpUpdateScale,
         plan_loss_scale({currentScale, growthTracker, foundInf, updatedScale, updatedGrowthTracker},
                         {growthFactor, backoffFactor, growthInterval}))
OPERATOR(aclnnFusedSgd,
         plan_sgd_of_lists({paramsRef, gradsRef, momentumBufferListOptionalRef, gradScaleOptional},
                           {weightDecay, momentum, lr, dampening, nesterov, maximize, isFirstStep}))

}  // extern "C"
// clang-format on
