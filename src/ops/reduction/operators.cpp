// The operators of this folder.
#include <memory>

#include "ops/args/reduction.hpp"
#include "ops/reduction/distance.hpp"
#include "ops/reduction/distance_gradient.hpp"
#include "ops/reduction/moments.hpp"
#include "ops/reduction/norm.hpp"
#include "ops/reduction/reduce.hpp"
#include "ops/reduction/select.hpp"

namespace aclvk::ops {

// The forms of reduce_ops.def.
#define PLAN(stem, self, out, ...)                                                             \
  std::shared_ptr<Executor> plan(const stem##Args& args) {                                     \
    return plan_reduce(args.kOperator, ReduceOp::k##stem, {args.self, args.out, __VA_ARGS__}); \
  }
#define DTYPE static_cast<int>(args.dtype.value)
#define DIMS(stem, kind, rule, self, dims, keep) PLAN(stem, self, out, {args.dims.name, args.dims, {}, args.keep})
#define DIMS_DTYPE(stem, kind, rule, self, dims, keep) \
  PLAN(stem, self, out, {args.dims.name, args.dims, {}, args.keep}, DTYPE)
#define DIMS_NOOP(stem, kind, rule, self, dims, keep, noop, out) \
  PLAN(stem, self, out, {args.dims.name, args.dims, {}, args.keep, args.noop})
#define DIM_DTYPE(stem, kind, rule, self, dim, keep) \
  PLAN(stem, self, out, {args.dim.name, {}, args.dim, args.keep}, DTYPE)
#define ALL(stem, kind, rule, self) PLAN(stem, self, out, {})
#define ALL_DTYPE(stem, kind, rule, self) PLAN(stem, self, out, {}, DTYPE)
#include "ops/reduction/reduce_ops.def"

std::shared_ptr<Executor> plan(const MaxDimArgs& args) {
  return plan_extreme_dim(args.kOperator, Extreme::kHighest, args.self, args.dim, args.keepdim, args.out, args.indices);
}
std::shared_ptr<Executor> plan(const MinDimArgs& args) {
  return plan_extreme_dim(args.kOperator, Extreme::kLowest, args.self, args.dim, args.keepdim, args.out, args.indices);
}
std::shared_ptr<Executor> plan(const ArgMaxArgs& args) {
  return plan_arg_extreme(args.kOperator, Extreme::kHighest, args.self, args.dim, args.keepdim, args.out);
}
std::shared_ptr<Executor> plan(const ArgMinArgs& args) {
  return plan_arg_extreme(args.kOperator, Extreme::kLowest, args.self, args.dim, args.keepdim, args.out);
}
std::shared_ptr<Executor> plan(const VarArgs& args) {
  return plan_spread(args.kOperator, Spread::kVariance,
                     {args.self, args.dim, args.unbiased ? 1 : 0, args.keepdim, args.out});
}
std::shared_ptr<Executor> plan(const VarCorrectionArgs& args) {
  return plan_spread(args.kOperator, Spread::kVariance, {args.self, args.dim, args.correction, args.keepdim, args.out});
}
std::shared_ptr<Executor> plan(const StdArgs& args) {
  return plan_spread(args.kOperator, Spread::kDeviation,
                     {args.self, args.dim, args.correction, args.keepdim, args.out});
}
std::shared_ptr<Executor> plan(const VarMeanArgs& args) {
  return plan_spread(args.kOperator, Spread::kVariance,
                     {args.self, args.dim, args.correction, args.keepdim, args.varOut, true, args.meanOut});
}
std::shared_ptr<Executor> plan(const StdMeanCorrectionArgs& args) {
  return plan_spread(args.kOperator, Spread::kDeviation,
                     {args.self, args.dim, args.correction, args.keepdim, args.stdOut, true, args.meanOut});
}
std::shared_ptr<Executor> plan(const NormArgs& args) {
  return plan_norm(args.kOperator, {args.self, args.pScalar, args.dim, args.keepdim, std::nullopt, args.out});
}
std::shared_ptr<Executor> plan(const LinalgVectorNormArgs& args) {
  return plan_norm(args.kOperator,
                   {args.self, args.ord, args.dims, args.keepDims, static_cast<int>(args.dtype.value), args.out});
}
std::shared_ptr<Executor> plan(const RenormArgs& args) {
  return plan_renorm(args.kOperator, args.self, args.p, args.dim, args.maxNorm, args.out);
}
std::shared_ptr<Executor> plan(const InplaceRenormArgs& args) {
  return plan_renorm(args.kOperator, args.selfRef.read(), args.p, args.dim, args.maxNorm, args.selfRef.written());
}
std::shared_ptr<Executor> plan(const CdistBackwardArgs& args) {
  return plan_cdist_gradient({args.grad, args.x1, args.x2, args.cdist, args.p, args.out});
}

}  // namespace aclvk::ops
