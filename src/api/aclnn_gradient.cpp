#include "api/aclnn_pointwise.hpp"
#include "ops/elementwise/composed.hpp"
#include "ops/elementwise/folded.hpp"

// The public prototypes: a definition below that differs does not compile.
#include "aclnnop_all.h"

using aclvk::api::of;
using aclvk::ops::BinaryOp;
using aclvk::ops::GradientOp;

// Gradients of activations: the rows of ops/elementwise/gradient.def, and two of binary.def that have more dtypes.
// clang-format off
#define OPERANDS of(NAMED(gradOutput), NAMED(self))
#define GRAD_AND_SELF (const aclTensor*, gradOutput) SELF
#define ATTRIBUTE(name) (const aclScalar*, name)
#define GRAD_INPUT (aclTensor*, gradInput)

#define OWN(name)
#define GRADIENT(name)                                                                                         \
  ROW_OF(aclnn##name##Backward, GradientOp::k##name, OPERANDS.to(NAMED(gradInput)), GRAD_AND_SELF GRAD_INPUT)
#define ROW(forms, name, rule, value) forms(name)

extern "C" {

#include "ops/elementwise/gradient.def"

ROW_OF(aclnnHardswishBackwardV2, GradientOp::kHardswish, OPERANDS.to(NAMED(out)), GRAD_AND_SELF OUT)
ROW_OF(aclnnHardshrinkBackward, GradientOp::kShrink, OPERANDS.with(NAMED(lambd)).to(NAMED(gradInput)),
       GRAD_AND_SELF ATTRIBUTE(lambd) GRAD_INPUT)
ROW_OF(aclnnSoftshrinkBackward, GradientOp::kShrink, OPERANDS.with(NAMED(lambda)).to(NAMED(gradInput)),
       GRAD_AND_SELF ATTRIBUTE(lambda) GRAD_INPUT)
ROW_OF(aclnnHardtanhBackward, GradientOp::kHardtanh, OPERANDS.with(NAMED(min)).with(NAMED(max)).to(NAMED(out)),
       GRAD_AND_SELF ATTRIBUTE(min) ATTRIBUTE(max) OUT)
ROW_OF(aclnnSigmoidBackward, BinaryOp::kSigmoidSlope, of(NAMED(gradOutput), NAMED(output)).to(NAMED(gradInput)),
       (const aclTensor*, gradOutput)(const aclTensor*, output) GRAD_INPUT)
ROW_OF(aclnnThresholdBackward, BinaryOp::kThresholdSlope, OPERANDS.with(NAMED(threshold)).to(NAMED(out)),
       GRAD_AND_SELF ATTRIBUTE(threshold) OUT)
PLAN(aclnnEluBackward,
     aclvk::ops::plan_elu_gradient("aclnnEluBackward", isResult,
                                   of(NAMED(gradOutput), NAMED(selfOrResult)).with(NAMED(alpha)).with(NAMED(scale))
                                       .with(NAMED(inputScale)).to(NAMED(gradInput))),
     (const aclTensor*, gradOutput) ATTRIBUTE(alpha) ATTRIBUTE(scale) ATTRIBUTE(inputScale)
     (bool, isResult)(const aclTensor*, selfOrResult) GRAD_INPUT)
ROW_OF(aclnnSoftplusBackward, GradientOp::kSoftplus, OPERANDS.with(NAMED(beta)).with(NAMED(threshold)).to(NAMED(gradInput)),
       GRAD_AND_SELF ATTRIBUTE(beta) ATTRIBUTE(threshold) GRAD_INPUT)
ROW_OF(aclnnSwishBackward, GradientOp::kSwish,
       OPERANDS.with(betaOptional ? NAMED(betaOptional) : aclvk::api::named("betaOptional", 1.0)).to(NAMED(gradInput)),
       GRAD_AND_SELF ATTRIBUTE(betaOptional) GRAD_INPUT)
ROW_OF(aclnnLogSigmoidBackward, GradientOp::kLogSigmoid, OPERANDS.to(NAMED(gradInput)),
       GRAD_AND_SELF (const aclTensor*, buffer) GRAD_INPUT)
ROW_OF(aclnnGeluBackward, GradientOp::kGelu, OPERANDS.to(NAMED(gradInput)),
       GRAD_AND_SELF (const aclTensor*, gradInput))
PLAN(aclnnGeluBackwardV2,
     aclvk::ops::plan_gelu_gradient("aclnnGeluBackwardV2", approximate, OPERANDS.to(NAMED(gradInput))),
     GRAD_AND_SELF (char*, approximate) GRAD_INPUT)
PLAN(aclnnPreluBackward,
     aclvk::ops::plan_prelu_gradient(
         "aclnnPreluBackward",
         {NAMED(gradOutput), NAMED(self), NAMED(weight), NAMED(gradInput), NAMED(gradWeight)}),
     GRAD_AND_SELF (const aclTensor*, weight) GRAD_INPUT (aclTensor*, gradWeight))
#define CONST_TENSOR(name) (const aclTensor*, name)
PLAN(aclnnModulateBackward,
     aclvk::ops::plan_modulate_gradient(
         "aclnnModulateBackward",
         {NAMED(grad_output), NAMED(input), NAMED(scale), NAMED(grad_input), NAMED(grad_scale), NAMED(grad_shift)}),
     CONST_TENSOR(grad_output) CONST_TENSOR(input) CONST_TENSOR(scale) CONST_TENSOR(shift) CONST_TENSOR(grad_input)
     CONST_TENSOR(grad_scale) CONST_TENSOR(grad_shift))
PLAN(aclnnLeakyReluBackward,
     aclvk::ops::plan_leaky_relu_gradient("aclnnLeakyReluBackward", selfIsResult,
                                          OPERANDS.with(NAMED(negativeSlope)).to(NAMED(out))),
     GRAD_AND_SELF ATTRIBUTE(negativeSlope) (bool, selfIsResult) OUT)

}  // extern "C"
// clang-format on
