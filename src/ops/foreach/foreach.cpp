#include "ops/foreach/foreach.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.hpp"
#include "ops/elementwise/pointwise_plan.hpp"
#include "ops/executor/operator_dtypes.hpp"
#include "ops/foreach/lists.hpp"
#include "ops/kernel/joined_kernels.hpp"
#include "ops/kernel/workspace.hpp"
#include "ops/tensor/promotion.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

/// The source of a step's input.
struct Source {
  enum class Kind { kMember, kElement, kScalar, kPartial };
  Kind kind;
  std::size_t argument;  ///< index among the arguments; unused for kPartial
};

/// A row of a pointwise table that is applied to each member.
struct Step {
  PointwiseRow row;
  InlineVector<Source, 3> inputs;
  bool to_partial = false;                ///< writes to the workspace rather than the output
  std::vector<PointwisePlanPtr> plans{};  ///< for each member
};

/// A planned call of a foreach operator, which its build function owns.
struct ForeachPlan {
  const char* name;
  std::vector<ListArgument> arguments;
  std::size_t members = 0;
  std::size_t out = 0;  ///< index of the output argument
  std::vector<Step> steps{};
  std::vector<Tensor> partials{};  ///< intermediate result of each member; the offset is that in the workspace
  std::uint64_t workspace_bytes = 0;
  InlineVector<std::size_t, 6> slots{};  ///< the input slot of each argument

  const Tensor& tensor_of(std::size_t argument, std::size_t member) const {
    const auto& tensors = arguments[argument].tensors;
    return *tensors[arguments[argument].is_list ? member : 0];
  }
};

Source source_of(const ListArgument& argument, std::size_t number) {
  using Kind = Source::Kind;
  return {argument.is_list ? Kind::kMember : argument.is_tensor() ? Kind::kElement : Kind::kScalar, number};
}

ForeachPlan read(const char* name, std::size_t inputs, const PointwiseArguments& arguments) {
  ForeachPlan plan{name, read_lists(arguments)};
  plan.members = check_lengths(plan.arguments);
  const auto is_list = [](const ListArgument& argument) { return argument.is_list; };
  const auto lists = static_cast<std::size_t>(std::count_if(plan.arguments.begin(), plan.arguments.end(), is_list));
  // Operators that update in place have no list of outputs: the first list is both.
  const bool has_output = plan.arguments.back().is_list && plan.arguments.size() > inputs && lists > 1;
  plan.out = has_output ? plan.arguments.size() - 1 : 0;
  return plan;
}

void check_elements(const ForeachPlan& plan, const ListArgument& argument) {
  const Tensor& tensor = *argument.tensors.front();
  const std::int64_t count = tensor.elements();
  const bool one_each = count == static_cast<std::int64_t>(plan.members);
  check(count == 1 || one_each, Code::kNnInvalid,
        "{} has shape {}; one element, or one for each of {} tensors, is expected.", argument.name, tensor.shape,
        plan.members);
}

PointwiseInput input_of(const ForeachPlan& plan, const Source& source, std::size_t member) {
  if (source.kind == Source::Kind::kPartial) {
    return {"the intermediate result", std::make_shared<Tensor>(plan.partials[member]), nullptr};
  }
  const ListArgument& argument = plan.arguments[source.argument];
  if (source.kind == Source::Kind::kScalar) {
    return {argument.name, nullptr, argument.scalars[argument.scalars.size() > 1 ? member : 0]};
  }
  if (source.kind == Source::Kind::kMember) return {argument.name, argument.tensors[member], nullptr};
  return {argument.name, std::make_shared<Tensor>(element_of(*argument.tensors.front(), member)), nullptr};
}

/// The call of a step, without the tensors of a member and without attributes.
PointwiseCall call_of(const ForeachPlan& plan, const Step& step) {
  PointwiseCall call;
  call.name = plan.name;
  call.inputs.resize(step.inputs.size());
  call.out_name = plan.arguments[plan.out].name;
  return call;
}

void set_member(PointwiseCall& call, const ForeachPlan& plan, const Step& step, std::size_t member) {
  for (std::size_t i = 0; i < step.inputs.size(); ++i) call.inputs[i] = input_of(plan, step.inputs[i], member);
  call.out =
      step.to_partial ? std::make_shared<Tensor>(plan.partials[member]) : plan.arguments[plan.out].tensors[member];
}

/// The tensors of members with the addresses of a run.
class MemberTensors {
 public:
  MemberTensors(const ForeachPlan& plan, const Executor::Operands& bound) : plan_(plan), bound_(bound) {}

  PointwiseTensors tensors(const Step& step, std::size_t member) {
    PointwiseTensors tensors;
    for (std::size_t i = 0; i < step.inputs.size(); ++i) tensors.push_back(input(step.inputs[i], member, views_[i]));
    const Tensor* first = *std::find_if(tensors.begin(), tensors.end(), [](const Tensor* tensor) { return tensor; });
    // A scalar needs an operand that is not read.
    std::replace(tensors.begin(), tensors.end(), static_cast<const Tensor*>(nullptr), first);
    tensors.push_back(step.to_partial ? &(views_.back() = partial(member)) : &bound_.outputs.tensor(0, member));
    return tensors;
  }

  /// Returns null for a scalar. `view` stores a tensor that is not among the executor's operands.
  const Tensor* input(const Source& source, std::size_t member, Tensor& view) const {
    if (source.kind == Source::Kind::kScalar) return nullptr;
    const std::size_t slot = plan_.slots[source.argument];
    if (source.kind == Source::Kind::kMember) return &bound_.inputs.tensor(slot, member);
    view = source.kind == Source::Kind::kPartial ? partial(member) : element_of(bound_.inputs.tensor(slot, 0), member);
    return &view;
  }

 private:
  Tensor partial(std::size_t member) const {
    Tensor tensor = plan_.partials[member];
    tensor.data = bound_.workspace;
    return tensor;
  }

  const ForeachPlan& plan_;
  const Executor::Operands& bound_;
  std::array<Tensor, 4> views_;
};

void check_order(const ForeachPlan& plan, const Step& step, const Executor::Operands& bound) {
  const MemberTensors tensors(plan, bound);
  for (const Source& source : step.inputs) {
    if (source.kind == Source::Kind::kScalar || source.kind == Source::Kind::kPartial) continue;
    const auto read = [&](std::size_t member) {
      Tensor view;
      return *tensors.input(source, member, view);
    };
    check_order(plan.arguments[source.argument].name, read, plan.arguments[plan.out].name, bound, !step.to_partial);
  }
}

/// Calls add(plan, tensors, kernels) for each member of each step.
template <typename Add>
Kernels kernels_of(const ForeachPlan& plan, const Executor::Operands& bound, const Add& add) {
  Kernels all;
  MemberTensors tensors(plan, bound);
  for (const Step& step : plan.steps) {
    Kernels kernels;
    kernels.reserve(plan.members);
    for (std::size_t member = 0; member < plan.members; ++member) {
      check_member(member, [&] { add(*step.plans[member], tensors.tensors(step, member), kernels); });
    }
    // The members of one step become few dispatches; steps depend on each other and stay separate.
    append(all, joined(std::move(kernels), nullptr, [&] { check_order(plan, step, bound); }));
  }
  return all;
}

Kernels build(const ForeachPlan& plan, const Executor::Operands& bound) {
  // These steps do not write the outputs, so their kernels do not show that a later step writes what they read.
  for (const Step& step : plan.steps) {
    if (step.to_partial) check_order(plan, step, bound);
  }
  if (plan.workspace_bytes > 0 && !bound.workspace) return {};  // in the first phase
  return kernels_of(plan, bound, [](const PointwisePlan& member, const PointwiseTensors& tensors, Kernels& kernels) {
    append(kernels, member.build(tensors));
  });
}

/// The kernels for the addresses with which the members were planned.
Kernels planned_kernels(const ForeachPlan& plan, const Executor::Operands& bound) {
  return kernels_of(plan, bound, [](const PointwisePlan& member, const PointwiseTensors& tensors, Kernels& kernels) {
    member.add_kernels_at(tensors, kernels);
    check_kernels(kernels.size());
  });
}

Executor::Operands operands_of(ForeachPlan& plan) {
  Executor::Operands operands;
  for (std::size_t i = 0; i < plan.arguments.size(); ++i) {
    const ListArgument& argument = plan.arguments[i];
    plan.slots.push_back(operands.inputs.size());
    const bool only_output = i == plan.out && i > 0;
    if (!argument.tensors.empty() && !only_output) operands.inputs.add(argument.tensors);
  }
  operands.outputs.add(plan.arguments[plan.out].tensors);
  if (plan.out == 0) operands.updated = {{0, 0}};
  return operands;
}

std::shared_ptr<Executor> executor_of(ForeachPlan&& plan) {
  Executor::Operands operands = operands_of(plan);
  const auto owned = std::make_shared<const ForeachPlan>(std::move(plan));
  const auto rebuild = [owned](const Executor::Operands& bound) { return build(*owned, bound); };
  // The addresses of a workspace are known at the launch only.
  if (owned->workspace_bytes > 0) {
    return std::make_shared<Executor>(owned->name, std::move(operands), rebuild, owned->workspace_bytes);
  }
  Kernels kernels = planned_kernels(*owned, operands);
  return std::make_shared<Executor>(owned->name, std::move(operands), rebuild, std::move(kernels));
}

/// Caches the last plan: most members of a list have the same key.
class MemberPlans {
 public:
  const PointwisePlanPtr& find(const PointwiseCall& call, const PointwiseRow& row) {
    const PointwiseKey key = key_of(call, row);
    if (!plan_ || key != key_) {
      plan_ = plan_of(call, row, key);
      key_ = key;
    }
    return plan_;
  }

 private:
  PointwiseKey key_;
  PointwisePlanPtr plan_;
};

PointwiseInput factor_input(std::int64_t value) {
  return {"the factor", nullptr, std::make_shared<const Scalar>(&value, DType::kInt64)};
}

/// Results of rows that compute integers in float keep the dtype of the members.
PointwiseRow row_for_lists(PointwiseRow row) {
  if (row.rule.promotion == Promotion::kRealOfAll && row.rule.result == Result::kComputed) {
    row.rule.result = Result::kInput;
  }
  return row;
}

}  // namespace

std::shared_ptr<Executor> plan_foreach(const char* name, const PointwiseRow& row, const PointwiseArguments& arguments,
                                       std::int64_t attribute) {
  ForeachPlan plan = read(name, row.inputs, arguments);
  Step step{row_for_lists(row), {}};
  PointwiseInput factor = factor_input(attribute);
  for (std::size_t i = 0; i < plan.arguments.size(); ++i) {
    if (i == plan.out && i > 0) continue;
    const ListArgument& argument = plan.arguments[i];
    if (argument.is_tensor()) check_elements(plan, argument);
    if (step.inputs.size() == row.inputs) {
      factor = {argument.name, nullptr, argument.scalars.front()};
    } else {
      step.inputs.push_back(source_of(argument, i));
    }
  }
  step.plans.reserve(plan.members);
  PointwiseCall call = call_of(plan, step);
  call.attributes = {factor};
  MemberPlans plans;
  for (std::size_t member = 0; member < plan.members; ++member) {
    set_member(call, plan, step, member);
    check_member(member, [&] { step.plans.push_back(plans.find(call, step.row)); });
  }
  plan.steps.push_back(std::move(step));
  return executor_of(std::move(plan));
}

namespace {

/// Checks the scalar factor, whose dtype may differ from the lists'. Returns the dtype of intermediate results.
DType check_factor(const ForeachPlan& plan, const ListArgument& factor, DType promoted, std::size_t member) {
  const Tensor& scalar = *factor.tensors.front();
  const Tensor& out = plan.tensor_of(plan.out, member);
  check_dtype(scalar, factor.name, dtypes_of(plan.name).inputs);
  const auto both = promote(promoted, scalar.dtype);
  check(both.has_value(), Code::kNnInvalid, "{} has dtype {} and the tensors promote to {}; no dtype holds both.",
        factor.name, scalar.dtype, promoted);
  check_castable(*both, out.dtype, "the result", plan.arguments[plan.out].name);
  // Keeps intermediate results of 16-bit floats in float, so that they are rounded once.
  return size_of(*both) == 2 && kind_of(*both) == Kind::kFloating ? DType::kFloat : *both;
}

/// The steps for the arguments x1, x2, x3 and the factor s.
std::vector<Step> scaled_steps(Scaled scaled) {
  using Kind = Source::Kind;
  const Source x1{Kind::kMember, 0};
  const Source x2{Kind::kMember, 1};
  const Source x3{Kind::kMember, 2};
  const Source factor{Kind::kElement, 3};
  const Source partial{Kind::kPartial, 0};
  const PointwiseRow add = row_of(TernaryOp::kAddcmul);
  if (scaled == Scaled::kProduct) {
    // x1 + (x2 s) x3 and x1 + (x2 / x3) s. The factor is in device memory, so it is an operand and no attribute.
    return {{row_of(BinaryOp::kMul), {x2, factor}, true}, {add, {x1, partial, x3}}};
  }
  return {{row_of(BinaryOp::kDiv), {x2, x3}, true}, {add, {x1, partial, factor}}};
}

void check_scaled(const ForeachPlan& plan) {
  check(plan.arguments[0].is_list && plan.arguments[1].is_list && plan.arguments[2].is_list, Code::kNnInner,
        "{} has other parameters than x1, x2, x3 and a tensor.", plan.name);
  check_elements(plan, plan.arguments[3]);
}

/// Checks a member as if the factor were 1, and allocates its intermediate result.
DType add_partial(ForeachPlan& plan, const PointwiseRow& row, Workspace& workspace, std::size_t member) {
  const Step plain{row, {{Source::Kind::kMember, 0}, {Source::Kind::kMember, 1}, {Source::Kind::kMember, 2}}};
  PointwiseCall call = call_of(plan, plain);
  set_member(call, plan, plain, member);
  const DType dtype = check_factor(plan, plan.arguments[3], check_pointwise(call, row), member);
  plan.partials.push_back(row_major(call.out->shape, dtype, nullptr));
  plan.partials.back().offset = static_cast<std::int64_t>(workspace.allocate(call.out->shape, dtype) / size_of(dtype));
  return dtype;
}

}  // namespace

std::shared_ptr<Executor> plan_foreach_scaled(const char* name, Scaled scaled, const PointwiseArguments& arguments) {
  ForeachPlan plan = read(name, 3, arguments);
  check_scaled(plan);
  plan.steps = scaled_steps(scaled);
  const PointwiseRow row = row_of(scaled == Scaled::kProduct ? TernaryOp::kAddcmul : TernaryOp::kAddcdiv);
  const PointwiseInput factor = factor_input(1);
  Workspace workspace;
  for (std::size_t member = 0; member < plan.members; ++member) {
    check_member(member, [&] {
      const DType dtype = add_partial(plan, row, workspace, member);
      for (Step& step : plan.steps) {
        PointwiseCall call = call_of(plan, step);
        call.attributes = {factor};
        set_member(call, plan, step, member);
        step.plans.push_back(std::make_shared<const PointwisePlan>(call, step.row, dtype));
      }
    });
  }
  plan.workspace_bytes = workspace.bytes();
  return executor_of(std::move(plan));
}

}  // namespace aclvk::ops
