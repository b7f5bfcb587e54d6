// Gated linear units (ops/glu).
#include "ops/glu/glu.hpp"

#include "api/aclnn/operator.hpp"
#include "ops/glu/group.hpp"

using namespace aclvk::ops;

namespace {

Half left_or_right(bool left) { return left ? Half::kFirst : Half::kSecond; }

}  // namespace

// Gated linear units: the rows of ops/glu/glu.def.
#define NAMED(parameter) \
  { #parameter, parameter }
#define CLIPPED(name) \
  GluUnit { "aclnn" #name, GluOp::kClippedSwiglu, dim, {}, interleaved, alpha, limit, bias }
#define GROUP_GRADIENT \
  { gradY, x, weightOptional, yOriginOptional, groupIndexOptional, clampLimit, gradXOut, gradWeightOutOptional }

extern "C" {

OPERATOR(aclnnGlu, plan_glu({"aclnnGlu", GluOp::kGlu, dim}, NAMED(self), NAMED(out)))
OPERATOR(aclnnGluBackward,
         plan_glu_gradient({"aclnnGluBackward", GluOp::kGlu, dim}, NAMED(gradOut), NAMED(self), NAMED(out)))
OPERATOR(aclnnSwiGlu, plan_glu({"aclnnSwiGlu", GluOp::kSwiGlu, dim}, NAMED(x), NAMED(out)))
OPERATOR(aclnnSwiGluGrad,
         plan_glu_gradient({"aclnnSwiGluGrad", GluOp::kSwiGlu, dim}, NAMED(yGrad), NAMED(x), NAMED(out)))
OPERATOR(aclnnGeGlu, plan_ge_glu("aclnnGeGlu", dim, approximate, Half::kSecond, self, out, outGelu))
OPERATOR(aclnnGeGluV3, plan_ge_glu("aclnnGeGluV3", dim, approximate, left_or_right(activateLeft), self, out, outGelu))
OPERATOR(aclnnGeGluBackward,
         plan_ge_glu_gradient("aclnnGeGluBackward", dim, approximate, Half::kSecond, gradOutput, self, gelu, gradInput))
OPERATOR(aclnnGeGluV3Backward, plan_ge_glu_gradient("aclnnGeGluV3Backward", dim, approximate,
                                                    left_or_right(activateLeft), gradOutput, self, gelu, gradInput))
OPERATOR(aclnnGeluMul, plan_gelu_mul(input, approximateOptional, out))
OPERATOR(aclnnFatreluMul, plan_fatrelu_mul(NAMED(input), NAMED(threshold), NAMED(out)))

OPERATOR(aclnnClippedSwiglu, plan_clipped_swiglu(CLIPPED(ClippedSwiglu), x, groupIndexOptional, out))
OPERATOR(aclnnClippedSwigluV2, plan_clipped_swiglu_v2(CLIPPED(ClippedSwigluV2), x, groupIndexOptional, clampMode, out))
OPERATOR(aclnnClippedSwigluGrad,
         plan_clipped_swiglu_gradient(CLIPPED(ClippedSwigluGrad), gradY, x, groupIndexOptional, gradXOut))
OPERATOR(aclnnSwigluGroup, plan_swiglu_group(x, weightOptional, groupIndexOptional, clampLimit, out))
OPERATOR(aclnnSwigluGroupQuantGrad, plan_swiglu_group_gradient("aclnnSwigluGroupQuantGrad", GROUP_GRADIENT))
OPERATOR(aclnnSwigluGroupGrad, plan_swiglu_group_gradient("aclnnSwigluGroupGrad", GROUP_GRADIENT))

}  // extern "C"
