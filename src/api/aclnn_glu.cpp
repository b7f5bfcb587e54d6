#include "api/aclnn_phases.hpp"
#include "ops/glu/glu.hpp"
#include "ops/glu/group.hpp"

// The parameters of every operator as the tables have them, and the public prototypes: a definition below that differs
// does not compile.
#include "aclnn_parameters.inc"
#include "aclnnop_all.h"

using namespace aclvk::ops;

namespace {

Half left_or_right(bool left) { return left ? Half::kFirst : Half::kSecond; }

}  // namespace

// Gated linear units: the rows of ops/glu/glu.def.
// clang-format off
#define OPERATOR(name, make) PLAN(aclnn##name, make, ACLVK_PARAMETERS_aclnn##name)
#define NAMED(parameter) {#parameter, parameter}
#define CLIPPED(name) GluUnit{"aclnn" #name, GluOp::kClippedSwiglu, dim, {}, interleaved, alpha, limit, bias}
#define GROUP_GRADIENT \
  {gradY, x, weightOptional, yOriginOptional, groupIndexOptional, clampLimit, gradXOut, gradWeightOutOptional}

extern "C" {

OPERATOR(Glu, plan_glu({"aclnnGlu", GluOp::kGlu, dim}, NAMED(self), NAMED(out)))
OPERATOR(GluBackward, plan_glu_gradient({"aclnnGluBackward", GluOp::kGlu, dim}, NAMED(gradOut), NAMED(self), NAMED(out)))
OPERATOR(SwiGlu, plan_glu({"aclnnSwiGlu", GluOp::kSwiGlu, dim}, NAMED(x), NAMED(out)))
OPERATOR(SwiGluGrad, plan_glu_gradient({"aclnnSwiGluGrad", GluOp::kSwiGlu, dim}, NAMED(yGrad), NAMED(x), NAMED(out)))
OPERATOR(GeGlu, plan_ge_glu("aclnnGeGlu", dim, approximate, Half::kSecond, self, out, outGelu))
OPERATOR(GeGluV3, plan_ge_glu("aclnnGeGluV3", dim, approximate, left_or_right(activateLeft), self, out, outGelu))
OPERATOR(GeGluBackward,
         plan_ge_glu_gradient("aclnnGeGluBackward", dim, approximate, Half::kSecond, gradOutput, self, gelu, gradInput))
OPERATOR(GeGluV3Backward, plan_ge_glu_gradient("aclnnGeGluV3Backward", dim, approximate, left_or_right(activateLeft),
                                               gradOutput, self, gelu, gradInput))
OPERATOR(GeluMul, plan_gelu_mul(input, approximateOptional, out))
OPERATOR(FatreluMul, plan_fatrelu_mul(NAMED(input), NAMED(threshold), NAMED(out)))

OPERATOR(ClippedSwiglu, plan_clipped_swiglu(CLIPPED(ClippedSwiglu), x, groupIndexOptional, out))
OPERATOR(ClippedSwigluV2, plan_clipped_swiglu_v2(CLIPPED(ClippedSwigluV2), x, groupIndexOptional, clampMode, out))
OPERATOR(ClippedSwigluGrad,
         plan_clipped_swiglu_gradient(CLIPPED(ClippedSwigluGrad), gradY, x, groupIndexOptional, gradXOut))
OPERATOR(SwigluGroup, plan_swiglu_group(x, weightOptional, groupIndexOptional, clampLimit, out))
OPERATOR(SwigluGroupQuantGrad, plan_swiglu_group_gradient("aclnnSwigluGroupQuantGrad", GROUP_GRADIENT))
OPERATOR(SwigluGroupGrad, plan_swiglu_group_gradient("aclnnSwigluGroupGrad", GROUP_GRADIENT))

}  // extern "C"
// clang-format on
