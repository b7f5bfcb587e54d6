#include "api/aclnn/pointwise.hpp"
#include "ops/elementwise/composed.hpp"

using aclvk::api::argument;
using aclvk::ops::TernaryOp;

// Operators on three tensors, the rows of ops/elementwise/ternary.def, and their forms for lists of tensors.
// clang-format off
extern "C" {

ROW_OF(aclnnAddcmul, TernaryOp::kAddcmul)
ROW_OF(aclnnInplaceAddcmul, TernaryOp::kAddcmul)
ROW_OF(aclnnAddcdiv, TernaryOp::kAddcdiv)
ROW_OF(aclnnInplaceAddcdiv, TernaryOp::kAddcdiv)
PLANNED(aclnnClampTensor, plan_clamp_tensor)
ROW_OF(aclnnLerp, TernaryOp::kLerp)
ROW_OF(aclnnLerps, TernaryOp::kLerp)
ROW_OF(aclnnInplaceLerp, TernaryOp::kLerp)
ROW_OF(aclnnInplaceLerps, TernaryOp::kLerp)
ROW_OF(aclnnSWhere, TernaryOp::kWhere)
ROW_OF(aclnnInplaceMaskedFillTensor, TernaryOp::kMaskedFill)
ROW_OF(aclnnInplaceMaskedFillScalar, TernaryOp::kMaskedFill)

OPERATOR(aclnnModulate,
         aclvk::ops::plan_modulate("aclnnModulate", NAMED(self), NAMED(scaleOptional), NAMED(shiftOptional), NAMED(out)))
OPERATOR(aclnnScale, aclvk::ops::plan_scale("aclnnScale", NAMED(x), NAMED(scale), NAMED(bias),
                                            {axis, numAxes, scaleFromBlob}, NAMED(y)))

#define OVER_LIST(name, op, differ)                                                              \
  OPERATOR(aclnn##name, aclvk::ops::plan_over_list("aclnn" #name, aclvk::ops::BinaryOp::k##op,   \
                                                   aclvk::ops::ListMembers::k##differ, tensors, NAMED(out)))
OVER_LIST(AddN, SumOf, Same)
OVER_LIST(Sum, SumOf, Promote)
OVER_LIST(MaxN, MaximumOf, Broadcast)
OVER_LIST(MinN, MinimumOf, Broadcast)

}  // extern "C"
// clang-format on
