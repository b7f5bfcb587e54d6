// Gradients of normalisations (ops/norm/norm_gradients.hpp).
#include "api/aclnn/operator.hpp"
#include "ops/norm/norm_gradients.hpp"

using namespace aclvk::ops;

extern "C" {

OPERATOR(aclnnLayerNormBackward,
         plan_layer_norm_backward({gradOut, input, normalizedShape, mean, rstd, weightOptional, biasOptional,
                                   outputMask, gradInputOut, gradWeightOut, gradBiasOut}))
OPERATOR(aclnnLayerNormalizationGrad,
         plan_layer_normalization_grad({dy, x, rstd, mean, gamma, dxOut, dgammaOut, dbetaOut}))
OPERATOR(aclnnAddLayerNormGrad,
         plan_add_layer_norm_grad({dy, x1, rstd, mean, gamma, dxOut, dgammaOut, dbetaOut, x2, dsumOptional}))
OPERATOR(aclnnDeepNormGrad,
         plan_deep_norm_grad({dy, x, gx, gamma, mean, rstd, dxOut, dgxOut, dbetaOut, dgammaOut}, alpha))
OPERATOR(aclnnRmsNormGrad, plan_rms_norm_grad(dy, x, rstd, gamma, dxOut, dgammaOut))

OPERATOR(aclnnGroupNormBackward,
         plan_group_norm_backward({gradOut, "gradOut", input, "input", mean, rstd, gamma, nullptr, gradInput,
                                   "gradInput", gradGammaOut, "gradGammaOut", gradBetaOut, "gradBetaOut"},
                                  {N, C, HxW}, group, outputMask))
OPERATOR(aclnnGroupNormSwishGrad,
         plan_group_norm_swish_grad({dy, "dy", x, "x", mean, rstd, gamma, beta, dxOut, "dxOut", dgammaOut, "dgammaOut",
                                     dbetaOut, "dbetaOut"},
                                    numGroups, dataFormatOptional, swishScale, dgammaIsRequire, dbetaIsRequire))

}  // extern "C"
