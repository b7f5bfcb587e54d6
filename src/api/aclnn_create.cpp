#include "api/aclnn_phases.hpp"
#include "ops/create/fill.hpp"
#include "ops/create/generate.hpp"

// The public prototypes: a definition below that differs does not compile.
#include "aclnnop_all.h"

using namespace aclvk::ops;

// clang-format off
#define OUT (aclTensor*, out)
#define SELF_REF (aclTensor*, selfRef)
#define INTERVAL (const aclScalar*, start)(const aclScalar*, end)

extern "C" {

PLAN(aclnnInplaceFillScalar, plan_fill_scalar(selfRef, value), SELF_REF(const aclScalar*, value))
PLAN(aclnnInplaceFillTensor, plan_fill_tensor(selfRef, value), SELF_REF(const aclTensor*, value))
PLAN(aclnnInplaceZero, plan_zero(selfRef), SELF_REF)
PLAN(aclnnInplaceOne, plan_one(selfRef), (const aclTensor*, selfRef))
PLAN(aclnnEye, plan_eye(n, m, out), (int64_t, n)(int64_t, m) OUT)
PLAN(aclnnInplaceFillDiagonal, plan_fill_diagonal(selfRef, fillValue, wrap),
     SELF_REF(const aclScalar*, fillValue)(bool, wrap))

PLAN(aclnnArange, plan_arange("aclnnArange", start, end, step, out, false), INTERVAL(const aclScalar*, step) OUT)
PLAN(aclnnRange, plan_arange("aclnnRange", start, end, step, out, true), INTERVAL(const aclScalar*, step) OUT)
PLAN(aclnnLinspace, plan_linspace(start, end, steps, out), INTERVAL(int64_t, steps) OUT)
PLAN(aclnnLogSpace, plan_logspace(start, end, steps, base, result),
     INTERVAL(int64_t, steps)(double, base)(const aclTensor*, result))

}  // extern "C"
// clang-format on
