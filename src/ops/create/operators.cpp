// The operators of this folder.
#include <memory>

#include "ops/args/create.hpp"
#include "ops/create/fill.hpp"
#include "ops/create/generate.hpp"

namespace aclvk::ops {

std::shared_ptr<Executor> plan(const InplaceFillScalarArgs& args) { return plan_fill_scalar(args.selfRef, args.value); }
std::shared_ptr<Executor> plan(const InplaceFillTensorArgs& args) { return plan_fill_tensor(args.selfRef, args.value); }
std::shared_ptr<Executor> plan(const InplaceZeroArgs& args) { return plan_zero(args.selfRef); }
std::shared_ptr<Executor> plan(const InplaceOneArgs& args) { return plan_one(args.selfRef); }
std::shared_ptr<Executor> plan(const EyeArgs& args) { return plan_eye(args.n, args.m, args.out); }
std::shared_ptr<Executor> plan(const InplaceFillDiagonalArgs& args) {
  return plan_fill_diagonal(args.selfRef, args.fillValue, args.wrap);
}
std::shared_ptr<Executor> plan(const ArangeArgs& args) {
  return plan_arange(args.kOperator, args.start, args.end, args.step, args.out, false);
}
std::shared_ptr<Executor> plan(const RangeArgs& args) {
  return plan_arange(args.kOperator, args.start, args.end, args.step, args.out, true);
}
std::shared_ptr<Executor> plan(const LinspaceArgs& args) {
  return plan_linspace(args.start, args.end, args.steps, args.out);
}
std::shared_ptr<Executor> plan(const LogSpaceArgs& args) {
  return plan_logspace(args.start, args.end, args.steps, args.base, args.result);
}

}  // namespace aclvk::ops
