#include "api/aclnn_phases.hpp"
#include "ops/reduction/fold.hpp"
#include "ops/reduction/grouped_bias.hpp"
#include "ops/reduction/histogram.hpp"
#include "ops/reduction/moments.hpp"
#include "ops/reduction/norm.hpp"
#include "ops/reduction/select.hpp"

// The public prototypes: a definition below that differs does not compile.
#include "aclnnop_all.h"

using aclvk::ops::Extreme;
using aclvk::ops::FoldHandles;
using aclvk::ops::FoldOp;
using aclvk::ops::NormHandles;
using aclvk::ops::plan_bincount;
using aclvk::ops::plan_extreme_dim;
using aclvk::ops::plan_extremes;
using aclvk::ops::plan_extremes_all;
using aclvk::ops::plan_extremes_dim;
using aclvk::ops::plan_fold;
using aclvk::ops::plan_grouped_bias_gradient;
using aclvk::ops::plan_histc;
using aclvk::ops::plan_log_sum_exp;
using aclvk::ops::plan_norm;
using aclvk::ops::plan_place;
using aclvk::ops::plan_renorm;
using aclvk::ops::plan_spread;
using aclvk::ops::plan_trace;
using aclvk::ops::Spread;

namespace {

FoldHandles all_of(const void* self, const char* self_name, const void* out, const char* out_name) {
  FoldHandles handles;
  handles.self = self;
  handles.self_name = self_name;
  handles.out = out;
  handles.out_name = out_name;
  return handles;
}
FoldHandles over(FoldHandles handles, const void* dims, const char* dims_name, bool keep) {
  handles.has_dims = true;
  handles.dims = dims;
  handles.dims_name = dims_name;
  handles.keep = keep;
  return handles;
}
FoldHandles over_one(FoldHandles handles, std::int64_t dim, const char* dims_name, bool keep) {
  handles.dim = dim;
  handles.dims_name = dims_name;
  handles.keep = keep;
  return handles;
}
FoldHandles with_noop(FoldHandles handles, bool noop) {
  handles.nothing_for_no_dims = noop;
  return handles;
}
FoldHandles in(FoldHandles handles, int dtype) {
  handles.dtype = dtype;
  return handles;
}

}  // namespace

// The forms of ops/reduction/fold_ops.def.
// clang-format off
#define FOLD_ROW(name, handles, parameters) PLAN(aclnn##name, plan_fold("aclnn" #name, FoldOp::k##name, handles), parameters)
#define ALL_OF(self, out) all_of(self, #self, out, #out)
#define SELF(self) (const aclTensor*, self)
#define OUT(out) (aclTensor*, out)
#define DIMS_KEEP(dims, keep) (const aclIntArray*, dims)(bool, keep)
#define DTYPE_PARAMETER (aclDataType, dtype)

#define DIMS(name, fold, rule, self, dims, keep) \
  FOLD_ROW(name, over(ALL_OF(self, out), dims, #dims, keep), SELF(self) DIMS_KEEP(dims, keep) OUT(out))
#define DIMS_DTYPE(name, fold, rule, self, dims, keep)                \
  FOLD_ROW(name, in(over(ALL_OF(self, out), dims, #dims, keep), dtype), \
           SELF(self) DIMS_KEEP(dims, keep) DTYPE_PARAMETER OUT(out))
#define DIMS_NOOP(name, fold, rule, self, dims, keep, noop, out)             \
  FOLD_ROW(name, with_noop(over(ALL_OF(self, out), dims, #dims, keep), noop), \
           SELF(self) DIMS_KEEP(dims, keep) (bool, noop) OUT(out))
#define DIM_DTYPE(name, fold, rule, self, dim, keep)                     \
  FOLD_ROW(name, in(over_one(ALL_OF(self, out), dim, #dim, keep), dtype), \
           SELF(self) (int64_t, dim)(bool, keep) DTYPE_PARAMETER OUT(out))
#define ALL(name, fold, rule, self) FOLD_ROW(name, ALL_OF(self, out), SELF(self) OUT(out))
#define ALL_DTYPE(name, fold, rule, self) FOLD_ROW(name, in(ALL_OF(self, out), dtype), SELF(self) DTYPE_PARAMETER OUT(out))

extern "C" {

#include "ops/reduction/fold_ops.def"

#define DIM_KEEP (int64_t, dim)(bool, keepdim)
PLAN(aclnnMaxDim, plan_extreme_dim("aclnnMaxDim", Extreme::kHighest, self, dim, keepdim, out, indices),
     SELF(self) DIM_KEEP OUT(out) OUT(indices))
PLAN(aclnnMinDim, plan_extreme_dim("aclnnMinDim", Extreme::kLowest, self, dim, keepdim, out, indices),
     SELF(self) DIM_KEEP OUT(out) OUT(indices))
PLAN(aclnnArgMax, plan_place("aclnnArgMax", Extreme::kHighest, self, dim, keepdim, out), SELF(self) DIM_KEEP OUT(out))
PLAN(aclnnArgMin, plan_place("aclnnArgMin", Extreme::kLowest, self, dim, keepdim, out), SELF(self) DIM_KEEP OUT(out))

#define BOTH OUT(minOut) OUT(maxOut)
PLAN(aclnnAminmax, plan_extremes("aclnnAminmax", self, dim, keepDim, minOut, maxOut),
     SELF(self) DIMS_KEEP(dim, keepDim) BOTH)
PLAN(aclnnAminmaxDim, plan_extremes_dim("aclnnAminmaxDim", self, dim, keepDim, minOut, maxOut),
     SELF(self) (int64_t, dim)(bool, keepDim) BOTH)
PLAN(aclnnAminmaxAll, plan_extremes_all("aclnnAminmaxAll", self, minOut, maxOut), SELF(self) BOTH)

#define SPREAD(name, spread, correction, parameter, out)                                                    \
  PLAN(aclnn##name, plan_spread("aclnn" #name, Spread::spread, {self, dim, correction, keepdim, out, #out}), \
       SELF(self) (const aclIntArray*, dim) parameter (bool, keepdim) OUT(out))
#define SPREAD_MEAN(name, spread, out)                                                                                  \
  PLAN(aclnn##name,                                                                                                     \
       plan_spread("aclnn" #name, Spread::spread, {self, dim, correction, keepdim, out, #out, true, meanOut}),          \
       SELF(self) (const aclIntArray*, dim)(int64_t, correction)(bool, keepdim) OUT(out) OUT(meanOut))
SPREAD(Var, kVariance, unbiased ? 1 : 0, (bool, unbiased), out)
SPREAD(VarCorrection, kVariance, correction, (int64_t, correction), out)
SPREAD(Std, kDeviation, correction, (int64_t, correction), out)
SPREAD_MEAN(VarMean, kVariance, varOut)
SPREAD_MEAN(StdMeanCorrection, kDeviation, stdOut)

PLAN(aclnnLogSumExp, plan_log_sum_exp(self, dim, keepDim, out), SELF(self) DIMS_KEEP(dim, keepDim) OUT(out))
PLAN(aclnnTrace, plan_trace(self, out), SELF(self) OUT(out))
PLAN(aclnnNorm, plan_norm("aclnnNorm", {self, pScalar, "pScalar", dim, "dim", keepdim, std::nullopt, out}),
     SELF(self) (const aclScalar*, pScalar) DIMS_KEEP(dim, keepdim) OUT(out))
PLAN(aclnnLinalgVectorNorm, plan_norm("aclnnLinalgVectorNorm", {self, ord, "ord", dims, "dims", keepDims, dtype, out}),
     SELF(self) (const aclScalar*, ord) DIMS_KEEP(dims, keepDims) DTYPE_PARAMETER OUT(out))
PLAN(aclnnRenorm, plan_renorm("aclnnRenorm", self, "self", p, dim, maxNorm, out, "out"),
     SELF(self) (const aclScalar*, p)(int64_t, dim)(const aclScalar*, maxNorm) OUT(out))
PLAN(aclnnInplaceRenorm, plan_renorm("aclnnInplaceRenorm", selfRef, "selfRef", p, dim, maxNorm, selfRef, "selfRef"),
     OUT(selfRef) (const aclScalar*, p)(int64_t, dim)(const aclScalar*, maxNorm))
PLAN(aclnnHistc, plan_histc(self, bins, min, max, out),
     SELF(self) (int64_t, bins)(const aclScalar*, min)(const aclScalar*, max) OUT(out))
PLAN(aclnnBincount, plan_bincount(self, weights, minlength, out), SELF(self) SELF(weights) (int64_t, minlength) OUT(out))

PLAN(aclnnGroupedBiasAddGrad, plan_grouped_bias_gradient("aclnnGroupedBiasAddGrad", gradY, groupIdxOptional, 0, out),
     SELF(gradY) SELF(groupIdxOptional) OUT(out))
PLAN(aclnnGroupedBiasAddGradV2,
     plan_grouped_bias_gradient("aclnnGroupedBiasAddGradV2", gradY, groupIdxOptional, groupIdxType, out),
     SELF(gradY) SELF(groupIdxOptional) (int64_t, groupIdxType) OUT(out))

}  // extern "C"
// clang-format on
