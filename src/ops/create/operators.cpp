// The operators of this folder.
#include <memory>

#include "ops/args/create.hpp"
#include "ops/create/fill.hpp"
#include "ops/create/generate.hpp"

namespace aclvk::ops {

std::shared_ptr<Executor> plan(const ArangeArgs& args) {
  return plan_arange(args.kOperator, args.start, args.end, args.step, args.out, false);
}
std::shared_ptr<Executor> plan(const RangeArgs& args) {
  return plan_arange(args.kOperator, args.start, args.end, args.step, args.out, true);
}

}  // namespace aclvk::ops
