#include "api/aclnn_pointwise.hpp"
#include "ops/elementwise/composed.hpp"

// The public prototypes: a definition below that differs does not compile.
#include "aclnnop_all.h"

using aclvk::api::of;
using aclvk::ops::TernaryOp;

// Operators on three tensors: the rows of ops/elementwise/ternary.def. And those on lists of tensors.
// clang-format off
#define TENSOR(name) (const aclTensor*, name)
#define CONST_OUT (const aclTensor*, out)
#define VALUE (const aclScalar*, value)

#define FACTORS(self) of(NAMED(self), NAMED(tensor1), NAMED(tensor2)).with(NAMED(value))
#define FACTOR_PARAMETERS TENSOR(tensor1) TENSOR(tensor2) VALUE
#define BOUNDS of(NAMED(self), NAMED(clipValueMin), NAMED(clipValueMax))
#define LERP(self) of(NAMED(self), NAMED(end), NAMED(weight))
#define SCALAR_WEIGHT (const aclScalar*, weight)
#define FILL of(NAMED(selfRef), NAMED(mask), NAMED(value)).in_place()

extern "C" {

ROW_OF(aclnnAddcmul, TernaryOp::kAddcmul, FACTORS(self).to(NAMED(out)), SELF FACTOR_PARAMETERS OUT)
ROW_OF(aclnnInplaceAddcmul, TernaryOp::kAddcmul, FACTORS(selfRef).in_place(),
       SELF_REF(aclnnInplaceAddcmul) FACTOR_PARAMETERS)
ROW_OF(aclnnAddcdiv, TernaryOp::kAddcdiv, FACTORS(self).to(NAMED(out)), SELF FACTOR_PARAMETERS CONST_OUT)
ROW_OF(aclnnInplaceAddcdiv, TernaryOp::kAddcdiv, FACTORS(selfRef).in_place(),
       SELF_REF(aclnnInplaceAddcdiv) FACTOR_PARAMETERS)
ROW_OF(aclnnClampTensor, TernaryOp::kClamp, BOUNDS.to(NAMED(out)), SELF TENSOR(clipValueMin) TENSOR(clipValueMax) OUT)
ROW_OF(aclnnLerp, TernaryOp::kLerp, LERP(self).to(NAMED(out)), SELF TENSOR(end) TENSOR(weight) OUT)
ROW_OF(aclnnLerps, TernaryOp::kLerp, LERP(self).to(NAMED(out)), SELF TENSOR(end) SCALAR_WEIGHT OUT)
ROW_OF(aclnnInplaceLerp, TernaryOp::kLerp, LERP(selfRef).in_place(),
       SELF_REF(aclnnInplaceLerp) TENSOR(end) TENSOR(weight))
ROW_OF(aclnnInplaceLerps, TernaryOp::kLerp, LERP(selfRef).in_place(),
       SELF_REF(aclnnInplaceLerps) TENSOR(end) SCALAR_WEIGHT)
ROW_OF(aclnnSWhere, TernaryOp::kWhere, of(NAMED(condition), NAMED(self), NAMED(other)).to(NAMED(out)),
       TENSOR(condition) SELF OTHER OUT)
ROW_OF(aclnnInplaceMaskedFillTensor, TernaryOp::kMaskedFill, FILL,
       SELF_REF(aclnnInplaceMaskedFillTensor) TENSOR(mask) TENSOR(value))
ROW_OF(aclnnInplaceMaskedFillScalar, TernaryOp::kMaskedFill, FILL,
       SELF_REF(aclnnInplaceMaskedFillScalar) TENSOR(mask) VALUE)

PLAN(aclnnModulate,
     aclvk::ops::plan_modulate("aclnnModulate", NAMED(self), NAMED(scaleOptional), NAMED(shiftOptional), NAMED(out)),
     SELF TENSOR(scaleOptional) TENSOR(shiftOptional) OUT)
PLAN(aclnnScale,
     aclvk::ops::plan_scale("aclnnScale", NAMED(x), NAMED(scale), NAMED(bias), {axis, numAxes, scaleFromBlob}, NAMED(y)),
     TENSOR(x) TENSOR(scale) TENSOR(bias) (int64_t, axis)(int64_t, numAxes)(bool, scaleFromBlob)(aclTensor*, y))

#define OVER_LIST(name, op) \
  PLAN(aclnn##name, aclvk::ops::plan_over_list("aclnn" #name, aclvk::ops::BinaryOp::k##op, tensors, NAMED(out)), \
       (const aclTensorList*, tensors) OUT)
OVER_LIST(AddN, SumOf)
OVER_LIST(MaxN, MaximumOf)
OVER_LIST(MinN, MinimumOf)
PLAN(aclnnSum, aclvk::ops::plan_sum_of_list(tensors, NAMED(out)), (const aclTensorList*, tensors) OUT)

}  // extern "C"
// clang-format on
