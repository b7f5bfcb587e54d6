// The operators of this folder.
#include <memory>

#include "ops/args/scan.hpp"
#include "ops/scan/scan.hpp"

namespace aclvk::ops {

std::shared_ptr<Executor> plan(const CumsumArgs& args) {
  return plan_cumulative(args.kOperator, Cumulative::kSum,
                         {args.self, args.out, true, static_cast<int>(args.dtype.value)}, args.dim);
}
std::shared_ptr<Executor> plan(const CumsumV2Args& args) {
  return plan_cumulative(args.kOperator, Cumulative::kSum,
                         {args.self, args.out, false, 0, args.exclusive, args.reverse}, args.dim);
}
std::shared_ptr<Executor> plan(const CumprodArgs& args) {
  return plan_cumulative_product(args.kOperator, {args.input, args.out, true, static_cast<int>(args.dtype.value)},
                                 args.dim);
}
std::shared_ptr<Executor> plan(const InplaceCumprodArgs& args) {
  return plan_cumulative_product(args.kOperator, {args.input.read(), args.input.written()}, args.dim);
}
std::shared_ptr<Executor> plan(const CummaxArgs& args) {
  return plan_cumulative_extreme(args.kOperator, true, args.self, args.dim, args.valuesOut, args.indicesOut);
}
std::shared_ptr<Executor> plan(const CumminArgs& args) {
  return plan_cumulative_extreme(args.kOperator, false, args.self, args.dim, args.valuesOut, args.indicesOut);
}

}  // namespace aclvk::ops
