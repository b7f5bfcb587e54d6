#include "api/aclnn_pointwise.hpp"
#include "ops/optimizer/adam.hpp"
#include "ops/optimizer/sgd.hpp"

using aclvk::ops::plan_adam;
using aclvk::ops::plan_adam_of_lists;
using aclvk::ops::plan_sgd_of_lists;

// Steps of optimizers.
// clang-format off
extern "C" {

OPERATOR(aclnnApplyAdamWV2, plan_adam({varRef, mRef, vRef, maxGradNormOptionalRef, grad, step},
                                      {lr, beta1, beta2, weightDecay, eps, amsgrad, maximize}))
OPERATOR(aclnnFusedAdamw,
         plan_adam_of_lists({paramsRef, grads, expAvgsRef, expAvgSqsRef, maxExpAvgSqsRef, stateSteps, gradScaleOptional,
                             foundInfOptional},
                            {lr, beta1, beta2, weightDecay, eps, amsgrad, maximize}))
OPERATOR(aclnnFusedSgd,
         plan_sgd_of_lists({paramsRef, gradsRef, momentumBufferListOptionalRef, gradScaleOptional},
                           {weightDecay, momentum, lr, dampening, nesterov, maximize, isFirstStep}))

}  // extern "C"
// clang-format on
