#include "api/aclnn/pointwise.hpp"
#include "ops/elementwise/composed.hpp"
#include "ops/elementwise/tree_reduction.hpp"

using aclvk::api::argument;
using aclvk::ops::BinaryOp;
using aclvk::ops::GradientOp;

// Gradients of activations: the rows of ops/elementwise/gradient.def, and two of binary.def that have more dtypes.
// clang-format off
#define OWN(name)
#define GRADIENT(name) ROW_OF(aclnn##name##Backward, GradientOp::k##name)
#define ROW(forms, name, rule, value) forms(name)

extern "C" {

#include "ops/elementwise/gradient.def"

ROW_OF(aclnnHardswishBackwardV2, GradientOp::kHardswish)
ROW_OF(aclnnHardshrinkBackward, GradientOp::kShrink)
ROW_OF(aclnnSoftshrinkBackward, GradientOp::kShrink)
ROW_OF(aclnnHardtanhBackward, GradientOp::kHardtanh)
ROW_OF(aclnnSigmoidBackward, BinaryOp::kSigmoidSlope)
ROW_OF(aclnnThresholdBackward, BinaryOp::kThresholdSlope)
ROW_OF(aclnnSoftplusBackward, GradientOp::kSoftplus)
ROW_OF(aclnnSwishBackward, GradientOp::kSwish)
ROW_OF(aclnnGeluBackward, GradientOp::kGelu)

OPERATOR(aclnnLogSigmoidBackward,
         aclvk::ops::plan_log_sigmoid_gradient("aclnnLogSigmoidBackward", buffer,
                                               {NAMED(gradOutput), NAMED(self), NAMED(gradInput)}))
OPERATOR(aclnnEluBackward,
         aclvk::ops::plan_elu_gradient(
             "aclnnEluBackward", isResult,
             {NAMED(gradOutput), NAMED(selfOrResult), NAMED(alpha), NAMED(scale), NAMED(inputScale), NAMED(gradInput)}))
OPERATOR(aclnnGeluBackwardV2,
         aclvk::ops::plan_gelu_gradient("aclnnGeluBackwardV2", approximate,
                                        {NAMED(gradOutput), NAMED(self), NAMED(gradInput)}))
OPERATOR(aclnnLeakyReluBackward,
         aclvk::ops::plan_leaky_relu_gradient(
             "aclnnLeakyReluBackward", selfIsResult,
             {NAMED(gradOutput), NAMED(self), NAMED(negativeSlope), NAMED(out)}))
OPERATOR(aclnnPreluBackward,
         aclvk::ops::plan_prelu_gradient(
             "aclnnPreluBackward",
             {NAMED(gradOutput), NAMED(self), NAMED(weight), NAMED(gradInput), NAMED(gradWeight)}))
OPERATOR(aclnnModulateBackward,
         aclvk::ops::plan_modulate_gradient(
             "aclnnModulateBackward",
             {NAMED(grad_output), NAMED(input), NAMED(scale), NAMED(shift), NAMED(grad_input), NAMED(grad_scale), NAMED(grad_shift)}))

}  // extern "C"
// clang-format on
