// The operators on lists of tensors: the rows of foreach.def, and operators that fit no row.
#include <memory>

#include "ops/args/foreach.hpp"
#include "ops/elementwise/pointwise_args.hpp"
#include "ops/foreach/foreach.hpp"

namespace aclvk::ops {
namespace {

template <typename Args>
std::shared_ptr<Executor> plan_scaled(Scaled scaled, const Args& args) {
  return plan_foreach_scaled(Args::kOperator, scaled, arguments_of(args));
}

}  // namespace

#define FOREACH(name, row, attribute)                                                \
  std::shared_ptr<Executor> plan(const Foreach##name##Args& args) {                  \
    return plan_foreach(args.kOperator, row_of(row), arguments_of(args), attribute); \
  }
#include "ops/foreach/foreach.def"

std::shared_ptr<Executor> plan(const ForeachAddcmulListArgs& args) { return plan_scaled(Scaled::kProduct, args); }
std::shared_ptr<Executor> plan(const ForeachAddcmulScalarArgs& args) { return plan_scaled(Scaled::kProduct, args); }
std::shared_ptr<Executor> plan(const ForeachAddcmulScalarListArgs& args) { return plan_scaled(Scaled::kProduct, args); }
std::shared_ptr<Executor> plan(const ForeachAddcdivListArgs& args) { return plan_scaled(Scaled::kQuotient, args); }
std::shared_ptr<Executor> plan(const ForeachAddcdivScalarArgs& args) { return plan_scaled(Scaled::kQuotient, args); }
std::shared_ptr<Executor> plan(const ForeachAddcdivScalarListArgs& args) {
  return plan_scaled(Scaled::kQuotient, args);
}
std::shared_ptr<Executor> plan(const ForeachCopyArgs& args) { return plan_with(plan_foreach_copy, args); }
std::shared_ptr<Executor> plan(const ForeachZeroInplaceArgs& args) { return plan_with(plan_foreach_zero, args); }
std::shared_ptr<Executor> plan(const ForeachNormArgs& args) { return plan_with(plan_foreach_norm, args); }
std::shared_ptr<Executor> plan(const ForeachNonFiniteCheckAndUnscaleArgs& args) {
  return plan_with(plan_foreach_unscale, args);
}

}  // namespace aclvk::ops
