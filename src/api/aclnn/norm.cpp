// Normalisations of rows and of groups of channels (ops/norm/norm.hpp).
#include "ops/norm/norm.hpp"

#include "api/aclnn/operator.hpp"

using namespace aclvk::ops;

#define LAYER_NORM(name)                                                                                \
  OPERATOR(name, plan_layer_norm(#name, input, normalizedShape, weightOptional, biasOptional, eps, out, \
                                 meanOutOptional, rstdOutOptional))
#define GROUP_NORM(self, out) \
  { self, #self, gamma, beta, out, #out, meanOut, rstdOut }

extern "C" {

LAYER_NORM(aclnnLayerNorm)
LAYER_NORM(aclnnFastLayerNorm)
LAYER_NORM(aclnnLayerNormWithImplMode)

OPERATOR(aclnnAddLayerNorm, plan_add_layer_norm({x1, x2, gamma, beta, biasOptional, yOut, meanOut, rstdOut, xOut},
                                                epsilon, additionalOutput))
OPERATOR(aclnnDeepNorm, plan_deep_norm({x, gx, beta, gamma, meanOut, rstdOut, yOut}, alpha, epsilon))
OPERATOR(aclnnAdaLayerNorm,
         plan_ada_layer_norm("aclnnAdaLayerNorm", {x, scale, shift, weightOptional, biasOptional, out}, epsilon))
OPERATOR(aclnnAdaLayerNormV2,
         plan_ada_layer_norm("aclnnAdaLayerNormV2",
                             {x, scale, shift, weightOptional, biasOptional, out, meanOutOptional, rstdOutOptional},
                             epsilon))

OPERATOR(aclnnRmsNorm, plan_rms_norm("aclnnRmsNorm", false, x, gamma, epsilon, yOut, rstdOut))
OPERATOR(aclnnGemmaRmsNorm, plan_rms_norm("aclnnGemmaRmsNorm", true, x, gamma, epsilon, yOut, rstdOut))
OPERATOR(aclnnAddRmsNorm, plan_add_rms_norm("aclnnAddRmsNorm",
                                            {x1, "x1", x2, "x2", gamma, yOut, "yOut", rstdOut, xOut, "xOut"}, epsilon))
OPERATOR(aclnnInplaceAddRmsNorm,
         plan_add_rms_norm("aclnnInplaceAddRmsNorm",
                           {x1Ref, "x1Ref", x2Ref, "x2Ref", gamma, x1Ref, "x1Ref", rstdOut, x2Ref, "x2Ref"}, epsilon))
OPERATOR(aclnnAddRmsNormCast,
         plan_add_rms_norm("aclnnAddRmsNormCast",
                           {x1, "x1", x2, "x2", gamma, y2Out, "y2Out", rstdOut, xOut, "xOut", y1Out, true}, epsilon))

OPERATOR(aclnnGroupNorm, plan_sized_group_norm(GROUP_NORM(self, out), N, C, HxW, group, eps))
OPERATOR(aclnnGroupNormSilu, plan_group_norm("aclnnGroupNormSilu", GROUP_NORM(self, out), group, eps, true, 1))
OPERATOR(aclnnGroupNormSiluV2,
         plan_group_norm("aclnnGroupNormSiluV2", GROUP_NORM(self, out), group, eps, activateSilu, 1))
OPERATOR(aclnnGroupNormSwish,
         plan_group_norm("aclnnGroupNormSwish", GROUP_NORM(x, yOut), numGroups, eps, activateSwish, swishScale))
OPERATOR(aclnnInstanceNorm, plan_instance_norm(x, gamma, beta, dataFormat, eps, y, mean, variance))

}  // extern "C"
