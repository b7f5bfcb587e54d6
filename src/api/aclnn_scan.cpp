#include "api/aclnn_phases.hpp"
#include "ops/scan/scan.hpp"

// The public prototypes: a definition below that differs does not compile.
#include "aclnnop_all.h"

using aclvk::ops::Cumulative;
using aclvk::ops::plan_cumulative;
using aclvk::ops::plan_cumulative_extreme;
using aclvk::ops::plan_cumulative_product;

// clang-format off
#define SELF_DIM (const aclTensor*, self)(int64_t, dim)
#define OUT(name) (aclTensor*, name)
#define EXTREME(name, highest)                                                                        \
  PLAN(aclnn##name, plan_cumulative_extreme("aclnn" #name, highest, self, dim, valuesOut, indicesOut), \
       SELF_DIM OUT(valuesOut) OUT(indicesOut))

extern "C" {

PLAN(aclnnCumsum, plan_cumulative("aclnnCumsum", Cumulative::kSum, {self, "self", out, "out", true, dtype}, dim),
     SELF_DIM (aclDataType, dtype) OUT(out))
PLAN(aclnnCumsumV2,
     plan_cumulative("aclnnCumsumV2", Cumulative::kSum, {self, "self", out, "out", false, 0, exclusive, reverse}, dim),
     SELF_DIM (bool, exclusive)(bool, reverse) OUT(out))
PLAN(aclnnCumprod, plan_cumulative_product("aclnnCumprod", {input, "input", out, "out", true, dtype}, dim),
     (const aclTensor*, input)(const aclScalar*, dim)(aclDataType, dtype) OUT(out))
PLAN(aclnnInplaceCumprod, plan_cumulative_product("aclnnInplaceCumprod", {input, "input", input, "input"}, dim),
     OUT(input) (const aclScalar*, dim))
EXTREME(Cummax, true)
EXTREME(Cummin, false)

}  // extern "C"
// clang-format on
