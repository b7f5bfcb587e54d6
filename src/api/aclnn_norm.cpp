#include "api/aclnn_phases.hpp"
#include "ops/norm/norm.hpp"

// The public prototypes: a definition below that differs does not compile.
#include "aclnnop_all.h"

using namespace aclvk::ops;

// clang-format off
#define IN(name) (const aclTensor*, name)
#define OUT(name) (aclTensor*, name)
#define CONST_OUT(name) (const aclTensor*, name)

#define LAYER_NORM(name, more)                                                                                         \
  PLAN(name, plan_layer_norm(#name, input, normalizedShape, weightOptional, biasOptional, eps, out, meanOutOptional,   \
                             rstdOutOptional),                                                                         \
       IN(input) (const aclIntArray*, normalizedShape) IN(weightOptional) IN(biasOptional) (double, eps) OUT(out)      \
       OUT(meanOutOptional) OUT(rstdOutOptional) more)
#define GROUP_NORM(self, out) {self, #self, gamma, beta, out, #out, meanOut, rstdOut}

extern "C" {

LAYER_NORM(aclnnLayerNorm, )
LAYER_NORM(aclnnFastLayerNorm, )
LAYER_NORM(aclnnLayerNormWithImplMode, (int32_t, implMode))

PLAN(aclnnAddLayerNorm,
     plan_add_layer_norm({x1, x2, gamma, beta, biasOptional, yOut, meanOut, rstdOut, xOut}, epsilon, additionalOutput),
     IN(x1) IN(x2) IN(gamma) IN(beta) IN(biasOptional) (double, epsilon)(bool, additionalOutput)
     CONST_OUT(yOut) CONST_OUT(meanOut) CONST_OUT(rstdOut) CONST_OUT(xOut))
PLAN(aclnnDeepNorm, plan_deep_norm({x, gx, beta, gamma, meanOut, rstdOut, yOut}, alpha, epsilon),
     IN(x) IN(gx) IN(beta) IN(gamma) (double, alpha)(double, epsilon)
     CONST_OUT(meanOut) CONST_OUT(rstdOut) CONST_OUT(yOut))
PLAN(aclnnAdaLayerNorm,
     plan_ada_layer_norm("aclnnAdaLayerNorm", {x, scale, shift, weightOptional, biasOptional, out}, epsilon),
     IN(x) IN(scale) IN(shift) IN(weightOptional) IN(biasOptional) (double, epsilon) OUT(out))
PLAN(aclnnAdaLayerNormV2,
     plan_ada_layer_norm("aclnnAdaLayerNormV2", {x, scale, shift, weightOptional, biasOptional, out, meanOutOptional,
                                                 rstdOutOptional}, epsilon),
     IN(x) IN(scale) IN(shift) IN(weightOptional) IN(biasOptional) (double, epsilon) OUT(out)
     OUT(meanOutOptional) OUT(rstdOutOptional))

PLAN(aclnnRmsNorm, plan_rms_norm("aclnnRmsNorm", false, x, gamma, epsilon, yOut, rstdOut),
     IN(x) IN(gamma) (double, epsilon) CONST_OUT(yOut) CONST_OUT(rstdOut))
PLAN(aclnnGemmaRmsNorm, plan_rms_norm("aclnnGemmaRmsNorm", true, x, gamma, epsilon, yOut, rstdOut),
     IN(x) IN(gamma) (double, epsilon) CONST_OUT(yOut) CONST_OUT(rstdOut))
PLAN(aclnnAddRmsNorm,
     plan_add_rms_norm("aclnnAddRmsNorm", {x1, "x1", x2, "x2", gamma, yOut, "yOut", rstdOut, xOut, "xOut"}, epsilon),
     IN(x1) IN(x2) IN(gamma) (double, epsilon) OUT(yOut) OUT(rstdOut) OUT(xOut))
PLAN(aclnnInplaceAddRmsNorm,
     plan_add_rms_norm("aclnnInplaceAddRmsNorm", {x1Ref, "x1Ref", x2Ref, "x2Ref", gamma, x1Ref, "x1Ref", rstdOut, x2Ref,
                                                  "x2Ref"}, epsilon),
     OUT(x1Ref) OUT(x2Ref) IN(gamma) (double, epsilon) CONST_OUT(rstdOut))
PLAN(aclnnAddRmsNormCast,
     plan_add_rms_norm("aclnnAddRmsNormCast", {x1, "x1", x2, "x2", gamma, y2Out, "y2Out", rstdOut, xOut, "xOut", y1Out,
                                               true}, epsilon),
     IN(x1) IN(x2) IN(gamma) (double, epsilon) CONST_OUT(y1Out) CONST_OUT(y2Out) CONST_OUT(rstdOut) CONST_OUT(xOut))

PLAN(aclnnGroupNorm, plan_sized_group_norm(GROUP_NORM(self, out), N, C, HxW, group, eps),
     IN(self) IN(gamma) IN(beta) (int64_t, N)(int64_t, C)(int64_t, HxW)(int64_t, group)(double, eps)
     OUT(out) OUT(meanOut) OUT(rstdOut))
PLAN(aclnnGroupNormSilu, plan_group_norm("aclnnGroupNormSilu", GROUP_NORM(self, out), group, eps, true, 1),
     IN(self) IN(gamma) IN(beta) (int64_t, group)(double, eps) OUT(out) OUT(meanOut) OUT(rstdOut))
PLAN(aclnnGroupNormSiluV2, plan_group_norm("aclnnGroupNormSiluV2", GROUP_NORM(self, out), group, eps, activateSilu, 1),
     IN(self) IN(gamma) IN(beta) (int64_t, group)(double, eps)(bool, activateSilu) OUT(out) OUT(meanOut) OUT(rstdOut))
PLAN(aclnnGroupNormSwish,
     plan_group_norm("aclnnGroupNormSwish", GROUP_NORM(x, yOut), numGroups, eps, activateSwish, swishScale),
     IN(x) IN(gamma) IN(beta) (int64_t, numGroups)(char*, dataFormatOptional)(double, eps)(bool, activateSwish)
     (double, swishScale) CONST_OUT(yOut) CONST_OUT(meanOut) CONST_OUT(rstdOut))
PLAN(aclnnInstanceNorm, plan_instance_norm(x, gamma, beta, dataFormat, eps, y, mean, variance),
     IN(x) IN(gamma) IN(beta) (const char*, dataFormat)(double, eps) OUT(y) OUT(mean) OUT(variance))

}  // extern "C"
// clang-format on
