// Operators that fill a tensor (ops/create).
#include "api/aclnn/operator.hpp"
#include "ops/create/fill.hpp"
#include "ops/create/generate.hpp"

using namespace aclvk::ops;

extern "C" {

OPERATOR(aclnnInplaceFillScalar, plan_fill_scalar(selfRef, value))
OPERATOR(aclnnInplaceFillTensor, plan_fill_tensor(selfRef, value))
OPERATOR(aclnnInplaceZero, plan_zero(selfRef))
OPERATOR(aclnnInplaceOne, plan_one(selfRef))
OPERATOR(aclnnEye, plan_eye(n, m, out))
OPERATOR(aclnnInplaceFillDiagonal, plan_fill_diagonal(selfRef, fillValue, wrap))

OPERATOR(aclnnArange, plan_arange("aclnnArange", start, end, step, out, false))
OPERATOR(aclnnRange, plan_arange("aclnnRange", start, end, step, out, true))
OPERATOR(aclnnLinspace, plan_linspace(start, end, steps, out))
OPERATOR(aclnnLogSpace, plan_logspace(start, end, steps, base, result))

}  // extern "C"
