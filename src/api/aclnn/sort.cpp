#include "ops/sort/sort.hpp"

#include "api/aclnn/operator.hpp"
#include "ops/sort/unique.hpp"

using namespace aclvk::ops;

#define MEDIAN_DIM(name, ignores_nan) \
  OPERATOR(name, plan_median_dim({#name, self, dim, keepDim, valuesOut, indicesOut}, ignores_nan))

extern "C" {

// Every sort is stable, so `stable` has no effect.
OPERATOR(aclnnSort, plan_sort("aclnnSort", self, dim, descending, true, valuesOut, indicesOut, "indicesOut"))
OPERATOR(aclnnArgsort, plan_sort("aclnnArgsort", self, dim, descending, false, nullptr, out, "out"))
OPERATOR(aclnnTopk, plan_topk(self, k, dim, largest, valuesOut, indicesOut))
OPERATOR(aclnnKthvalue, plan_kth_value({"aclnnKthvalue", self, dim, keepdim, valuesOut, indicesOut}, k))
OPERATOR(aclnnMedian, plan_median("aclnnMedian", false, self, valuesOut, "valuesOut"))
OPERATOR(aclnnNanMedian, plan_median("aclnnNanMedian", true, self, out, "out"))
MEDIAN_DIM(aclnnMedianDim, false)
MEDIAN_DIM(aclnnNanMedianDim, true)

// The results are sorted always, so `sorted` has no effect.
OPERATOR(aclnnUnique, plan_unique({"aclnnUnique", self, returnInverse, false, valueOut, inverseOut, nullptr}))
OPERATOR(aclnnUnique2,
         plan_unique({"aclnnUnique2", self, returnInverse, returnCounts, valueOut, inverseOut, countsOut, "countsOut"}))
OPERATOR(aclnnUniqueDim,
         plan_unique_dim({"aclnnUniqueDim", self, returnInverse, true, valueOut, inverseOut, countsOut, "countsOut"},
                         dim))
OPERATOR(aclnnUniqueConsecutive, plan_unique_consecutive({"aclnnUniqueConsecutive", self, returnInverse, returnCounts,
                                                          valueOut, inverseOut, countsOut, "countsOut"},
                                                         dim))

}  // extern "C"
