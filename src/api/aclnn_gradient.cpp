#include "api/aclnn_pointwise.hpp"
#include "ops/elementwise/composed.hpp"

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
PLAN(aclnnLeakyReluBackward,
     aclvk::ops::plan_leaky_relu_gradient("aclnnLeakyReluBackward", selfIsResult,
                                          OPERANDS.with(NAMED(negativeSlope)).to(NAMED(out))),
     GRAD_AND_SELF ATTRIBUTE(negativeSlope) (bool, selfIsResult) OUT)

}  // extern "C"
// clang-format on
