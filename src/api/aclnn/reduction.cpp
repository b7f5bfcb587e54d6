// Reductions and distances (ops/reduction).
#include "api/aclnn/operator.hpp"
#include "ops/index/grouped_bias.hpp"
#include "ops/reduction/distance.hpp"
#include "ops/reduction/distance_gradient.hpp"
#include "ops/reduction/histogram.hpp"
#include "ops/reduction/moments.hpp"
#include "ops/reduction/norm.hpp"
#include "ops/reduction/reduce.hpp"
#include "ops/reduction/select.hpp"

using aclvk::ops::Extreme;
using aclvk::ops::plan_arg_extreme;
using aclvk::ops::plan_bincount;
using aclvk::ops::plan_cdist;
using aclvk::ops::plan_cdist_gradient;
using aclvk::ops::plan_extreme_dim;
using aclvk::ops::plan_extremes;
using aclvk::ops::plan_extremes_all;
using aclvk::ops::plan_extremes_dim;
using aclvk::ops::plan_grouped_bias_gradient;
using aclvk::ops::plan_histc;
using aclvk::ops::plan_log_sum_exp;
using aclvk::ops::plan_norm;
using aclvk::ops::plan_pdist;
using aclvk::ops::plan_pdist_forward;
using aclvk::ops::plan_reduce;
using aclvk::ops::plan_renorm;
using aclvk::ops::plan_spread;
using aclvk::ops::plan_trace;
using aclvk::ops::ReduceOp;
using aclvk::ops::Spread;

// The forms of ops/reduction/reduce_ops.def.
#define REDUCE_ROW(name, self, out, ...) \
  OPERATOR(aclnn##name, plan_reduce("aclnn" #name, ReduceOp::k##name, {self, #self, out, #out, __VA_ARGS__}))
#define DIMS(name, kind, rule, self, dims, keep) REDUCE_ROW(name, self, out, {#dims, dims, {}, keep})
#define DIMS_DTYPE(name, kind, rule, self, dims, keep) REDUCE_ROW(name, self, out, {#dims, dims, {}, keep}, dtype)
#define DIMS_NOOP(name, kind, rule, self, dims, keep, noop, out) \
  REDUCE_ROW(name, self, out, {#dims, dims, {}, keep, noop})
#define DIM_DTYPE(name, kind, rule, self, dim, keep) REDUCE_ROW(name, self, out, {#dim, nullptr, dim, keep}, dtype)
#define ALL(name, kind, rule, self) REDUCE_ROW(name, self, out, {})
#define ALL_DTYPE(name, kind, rule, self) REDUCE_ROW(name, self, out, {}, dtype)

extern "C" {

#include "ops/reduction/reduce_ops.def"

OPERATOR(aclnnMaxDim, plan_extreme_dim("aclnnMaxDim", Extreme::kHighest, self, dim, keepdim, out, indices))
OPERATOR(aclnnMinDim, plan_extreme_dim("aclnnMinDim", Extreme::kLowest, self, dim, keepdim, out, indices))
OPERATOR(aclnnArgMax, plan_arg_extreme("aclnnArgMax", Extreme::kHighest, self, dim, keepdim, out))
OPERATOR(aclnnArgMin, plan_arg_extreme("aclnnArgMin", Extreme::kLowest, self, dim, keepdim, out))

OPERATOR(aclnnAminmax, plan_extremes("aclnnAminmax", self, dim, keepDim, minOut, maxOut))
OPERATOR(aclnnAminmaxDim, plan_extremes_dim("aclnnAminmaxDim", self, dim, keepDim, minOut, maxOut))
OPERATOR(aclnnAminmaxAll, plan_extremes_all("aclnnAminmaxAll", self, minOut, maxOut))

#define SPREAD(name, spread, correction, out) \
  OPERATOR(aclnn##name, plan_spread("aclnn" #name, Spread::spread, {self, dim, correction, keepdim, out, #out}))
#define SPREAD_MEAN(name, spread, out) \
  OPERATOR(aclnn##name,                \
           plan_spread("aclnn" #name, Spread::spread, {self, dim, correction, keepdim, out, #out, true, meanOut}))
SPREAD(Var, kVariance, unbiased ? 1 : 0, out)
SPREAD(VarCorrection, kVariance, correction, out)
SPREAD(Std, kDeviation, correction, out)
SPREAD_MEAN(VarMean, kVariance, varOut)
SPREAD_MEAN(StdMeanCorrection, kDeviation, stdOut)

OPERATOR(aclnnLogSumExp, plan_log_sum_exp(self, dim, keepDim, out))
OPERATOR(aclnnTrace, plan_trace(self, out))
OPERATOR(aclnnNorm, plan_norm("aclnnNorm", {self, pScalar, "pScalar", dim, "dim", keepdim, std::nullopt, out}))
OPERATOR(aclnnLinalgVectorNorm,
         plan_norm("aclnnLinalgVectorNorm", {self, ord, "ord", dims, "dims", keepDims, dtype, out}))
OPERATOR(aclnnRenorm, plan_renorm("aclnnRenorm", self, "self", p, dim, maxNorm, out, "out"))
OPERATOR(aclnnInplaceRenorm, plan_renorm("aclnnInplaceRenorm", selfRef, "selfRef", p, dim, maxNorm, selfRef, "selfRef"))
OPERATOR(aclnnCdist, plan_cdist(x1, x2, p, compute_mode, out))
OPERATOR(aclnnCdistBackward, plan_cdist_gradient({grad, x1, x2, cdist, p, out}))
OPERATOR(aclnnPdist, plan_pdist(self, p, out))
OPERATOR(aclnnPdistForward, plan_pdist_forward(self, pScalar, out))
OPERATOR(aclnnHistc, plan_histc(self, bins, min, max, out))
OPERATOR(aclnnBincount, plan_bincount(self, weights, minlength, out))

OPERATOR(aclnnGroupedBiasAddGrad,
         plan_grouped_bias_gradient("aclnnGroupedBiasAddGrad", gradY, groupIdxOptional, 0, out))
OPERATOR(aclnnGroupedBiasAddGradV2,
         plan_grouped_bias_gradient("aclnnGroupedBiasAddGradV2", gradY, groupIdxOptional, groupIdxType, out))

}  // extern "C"
