// Cumulative sums, products and extremes (ops/scan).
#include "ops/scan/scan.hpp"

#include "api/aclnn/operator.hpp"

using aclvk::ops::Cumulative;
using aclvk::ops::plan_cumulative;
using aclvk::ops::plan_cumulative_extreme;
using aclvk::ops::plan_cumulative_product;

#define EXTREME(name, highest) \
  OPERATOR(aclnn##name, plan_cumulative_extreme("aclnn" #name, highest, self, dim, valuesOut, indicesOut))

extern "C" {

OPERATOR(aclnnCumsum, plan_cumulative("aclnnCumsum", Cumulative::kSum, {self, "self", out, "out", true, dtype}, dim))
OPERATOR(aclnnCumsumV2, plan_cumulative("aclnnCumsumV2", Cumulative::kSum,
                                        {self, "self", out, "out", false, 0, exclusive, reverse}, dim))
OPERATOR(aclnnCumprod, plan_cumulative_product("aclnnCumprod", {input, "input", out, "out", true, dtype}, dim))
OPERATOR(aclnnInplaceCumprod, plan_cumulative_product("aclnnInplaceCumprod", {input, "input", input, "input"}, dim))
EXTREME(Cummax, true)
EXTREME(Cummin, false)

}  // extern "C"
