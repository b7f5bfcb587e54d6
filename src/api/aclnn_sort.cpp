#include "api/aclnn_phases.hpp"
#include "ops/sort/sort.hpp"

// The public prototypes: a definition below that differs does not compile.
#include "aclnnop_all.h"

using namespace aclvk::ops;

// clang-format off
#define SELF (const aclTensor*, self)
#define DIM (int64_t, dim)
#define VALUES_AND_INDICES (aclTensor*, valuesOut)(aclTensor*, indicesOut)
#define MEDIAN_DIM(name, ignores_nan)                                                               \
  PLAN(name, plan_median_dim({#name, self, dim, keepDim, valuesOut, indicesOut}, ignores_nan), \
       SELF DIM (bool, keepDim) VALUES_AND_INDICES)

extern "C" {

// All sorts are stable here.
PLAN(aclnnSort, plan_sort("aclnnSort", self, dim, descending, true, valuesOut, indicesOut, "indicesOut"),
     SELF (bool, stable) DIM (bool, descending) VALUES_AND_INDICES)
PLAN(aclnnArgsort, plan_sort("aclnnArgsort", self, dim, descending, false, nullptr, out, "out"),
     SELF DIM (bool, descending)(aclTensor*, out))
PLAN(aclnnTopk, plan_topk(self, k, dim, largest, valuesOut, indicesOut),
     SELF (int64_t, k) DIM (bool, largest)(bool, sorted) VALUES_AND_INDICES)
PLAN(aclnnKthvalue, plan_kth_value({"aclnnKthvalue", self, dim, keepdim, valuesOut, indicesOut}, k),
     SELF (int64_t, k) DIM (bool, keepdim) VALUES_AND_INDICES)
PLAN(aclnnMedian, plan_median("aclnnMedian", false, self, valuesOut, "valuesOut"), SELF (aclTensor*, valuesOut))
PLAN(aclnnNanMedian, plan_median("aclnnNanMedian", true, self, out, "out"), SELF (aclTensor*, out))
MEDIAN_DIM(aclnnMedianDim, false)
MEDIAN_DIM(aclnnNanMedianDim, true)

}  // extern "C"
// clang-format on
