#include "ops/elementwise/pointwise.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "common/pointwise.args.h"
#include "ops/elementwise/pointwise_plan.hpp"
#include "ops/executor/operator_dtypes.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/tensor/promotion.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(PointwiseKernelArguments, POINTWISE_ARGUMENTS);
CONSTANT_STRUCT(PointwiseConstants, POINTWISE_CONSTANTS);

constexpr std::size_t kWordsOfValue = 4;

bool is_mask(const PointwiseRule& rule, std::size_t index) { return rule.mask == static_cast<int>(index); }

bool is_optional(const PointwiseArgument& argument) {
  const std::string_view name = argument.name;
  constexpr std::string_view kMark = "Optional";
  return argument.handle == nullptr && name.size() > kMark.size() && name.substr(name.size() - kMark.size()) == kMark;
}

PointwiseInput read_input(const PointwiseArgument& argument) {
  using Kind = PointwiseArgument::Kind;
  if (argument.kind == Kind::kTensor)
    return {argument.name, required_tensor({static_cast<const aclTensor*>(argument.handle), argument.name}), nullptr};
  if (argument.kind == Kind::kNumber || is_optional(argument)) return number_input(argument.name, argument.number);
  return {argument.name, nullptr, required_scalar({static_cast<const aclScalar*>(argument.handle), argument.name})};
}

void check_dtypes(const PointwiseCall& call, const PointwiseRule& rule) {
  const OperatorDtypes& dtypes = dtypes_of(call.name);
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    const PointwiseInput& input = call.inputs[i];
    if (input.tensor) check_dtype(*input.tensor, input.name, is_mask(rule, i) ? rule.masks : dtypes.inputs);
  }
  check_dtype(*call.out, call.out_name, dtypes.outputs);
}

/// Promotes the dtypes of the tensors, then the scalar's with the result.
DType promote_all(const PointwiseCall& call, const PointwiseRule& rule) {
  const PointwiseInput* named = nullptr;
  DType dtype = DType::kBool;
  const auto add = [&](const PointwiseInput& input) {
    const auto both = !named         ? input.dtype()
                      : input.tensor ? promote(dtype, input.dtype())
                                     : promote_scalar(dtype, input.dtype());
    if (!named) named = &input;
    check(both.has_value(), Code::kNnInvalid, "{} has dtype {} and {} has dtype {}; no dtype holds both.", named->name,
          dtype, input.name, input.dtype());
    dtype = *both;
  };
  // Tensors first, whatever their order is: a scalar only raises the kind of what they promote to
  // (torch.result_type).
  for (const bool scalars : {false, true}) {
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
      if (!is_mask(rule, i) && (call.inputs[i].scalar != nullptr) == scalars) add(call.inputs[i]);
    }
  }
  return dtype;
}

DType promoted_inputs(const PointwiseCall& call, const PointwiseRule& rule) {
  if (rule.promotion == Promotion::kFirst) return call.inputs.front().dtype();
  DType dtype = promote_all(call, rule);
  for (const PointwiseInput& attribute : call.attributes) {
    if (rule.attributes == Attributes::kPromote) dtype = promote_scalar(dtype, attribute.dtype()).value_or(dtype);
  }
  return dtype;
}

/// Returns whether an input is read as a truth value: any integer may be, when the operator computes in BOOL.
bool is_truth(const PointwiseInput& input, DType computed) {
  return input.scalar && computed == DType::kBool && kind_of(input.dtype()) <= Kind::kInteger;
}

void check_attribute_dtypes(const PointwiseCall& call, const PointwiseRule& rule, DType computed) {
  for (const PointwiseInput& attribute : call.attributes) {
    if (rule.attributes == Attributes::kFit) {
      if (is_truth(attribute, computed)) continue;
      check_castable(attribute.dtype(), computed, attribute.name, "the combined operands");
    } else {
      check(kind_of(attribute.dtype()) < Kind::kComplex, Code::kNnInvalid, "{} has dtype {}; {} computes in {}.",
            attribute.name, attribute.dtype(), call.name, computed);
    }
  }
}

void check_result(const PointwiseCall& call, const PointwiseRule& rule, DType inputs, DType computed) {
  const DType result = rule.result == Result::kInput   ? inputs
                       : rule.result == Result::kPart  ? real_part_of(computed)
                       : rule.result == Result::kTruth ? DType::kBool
                                                       : computed;
  check_castable(result, call.out->dtype, "the result", call.out_name);
}

DType check_promotion(const PointwiseCall& call, const PointwiseRow& row) {
  const PointwiseRule& rule = row.rule;
  const DType inputs = promoted_inputs(call, rule);
  const bool in_float = rule.promotion == Promotion::kRealOfAll && kind_of(inputs) <= Kind::kInteger;
  const DType computed = in_float ? DType::kFloat : inputs;
  const bool has_class = !(*row.shaders)[static_cast<std::size_t>(class_for(computed, {}))].empty();
  check(has_class && !rule.refused.contains(computed), Code::kNnInvalid,
        "the operands of {} promote to {}, in which it does not compute.", call.name, computed);
  for (std::size_t i = 1; i < call.inputs.size() && rule.promotion == Promotion::kFirst; ++i) {
    if (is_mask(rule, i) || is_truth(call.inputs[i], computed)) continue;
    check_castable(call.inputs[i].dtype(), computed, call.inputs[i].name, call.inputs.front().name);
  }
  check_attribute_dtypes(call, rule, computed);
  check_result(call, rule, inputs, computed);
  return computed;
}

/// Checks the first attribute, or the second input when it is a scalar.
void check_limit(const PointwiseCall& call, Limit limit) {
  const bool of_attribute = limit == Limit::kNotZero || limit == Limit::kNotNegative;
  if (limit == Limit::kNone || (of_attribute && call.attributes.empty())) return;
  const PointwiseInput& limited = of_attribute ? call.attributes.front() : call.inputs[1];
  if (!limited.scalar) return;
  const double value = limited.scalar->to_double();
  const auto is_whole = [](const PointwiseInput& input) { return kind_of(input.dtype()) <= Kind::kInteger; };
  switch (limit) {
    case Limit::kNotZero:
      return check(value != 0, Code::kNnInvalid, "{} is 0; {} divides by it.", limited.name, call.name);
    case Limit::kNotNegative:
      return check(!(value < 0), Code::kNnInvalid, "{} is {}; expected 0 or more.", limited.name, value);
    case Limit::kWholePower:
      return check(!is_whole(limited) || !is_whole(call.inputs[0]) || value >= 0, Code::kNnInvalid,
                   "{} is {}; integers have no negative powers.", limited.name, value);
    default:
      return check(value >= 1 && value <= 7, Code::kNnInvalid, "{} is {}; expected 1 to 7.", limited.name, value);
  }
}

void check_shapes(const PointwiseCall& call) {
  const PointwiseInput* first = nullptr;
  Tensor broadcast;
  bool several = false;
  for (const PointwiseInput& input : call.inputs) {
    if (!input.tensor) continue;
    check_view(*input.tensor, input.name);
    if (first) broadcast.shape = check_broadcast(broadcast, first->name, *input.tensor, input.name);
    if (!first) broadcast.shape = input.tensor->shape;
    several = several || first;
    if (!first) first = &input;
  }
  check_view(*call.out, call.out_name);
  check_shape(*call.out, call.out_name, broadcast.shape,
              several ? "the operands broadcast to" : "the operand has shape");
}

/// 16-bit floats are computed in float.
DType arithmetic_dtype(DType promoted) {
  if (promoted == DType::kComplex32) return DType::kComplex64;
  return promoted == DType::kFloat16 || promoted == DType::kBfloat16 ? DType::kFloat : promoted;
}

/// The words of a scalar input, or of an attribute that is treated as one: rounded to the dtype in which the operator
/// compares or computes, which may be narrower than the type of the compute class.
std::array<std::uint32_t, kWordsOfValue> words_of(const Scalar& scalar, const PointwiseRule& rule, DType promoted,
                                                  ComputeClass compute) {
  const DType dtype = rule.result == Result::kTruth ? promoted : arithmetic_dtype(promoted);
  return scalar_words(scalar.rounded_to(dtype), compute);
}

/// Attributes 0 and 1 have two words each; a single one has four. Attribute 2 takes the place of the scalar input.
void put_attribute(PointwiseKernelArguments& arguments, const std::array<std::uint32_t, kWordsOfValue>& value,
                   std::size_t index, std::size_t count) {
  if (index == 2) {
    std::copy_n(value.begin(), kWordsOfValue / 2, arguments.scalar.begin());
  } else {
    std::copy_n(value.begin(), count == 1 ? kWordsOfValue : kWordsOfValue / 2,
                arguments.attributes.begin() + 2 * index);
  }
}

PointwiseKernelArguments words_of(const PointwiseNumbers& numbers, ComputeClass compute) {
  const auto value_of = [compute](double number) { return scalar_words(Scalar(&number, DType::kDouble), compute); };
  PointwiseKernelArguments arguments;
  const std::size_t count = numbers.attributes.size();
  for (std::size_t i = 0; i < count; ++i) put_attribute(arguments, value_of(numbers.attributes[i]), i, count);
  arguments.scalar = value_of(numbers.absent);
  return arguments;
}

PointwiseKernelArguments arguments_of(const PointwiseCall& call, const PointwiseRule& rule, DType promoted,
                                      ComputeClass compute) {
  PointwiseKernelArguments arguments;
  for (std::size_t i = 0; i < call.attributes.size(); ++i) {
    const Scalar& scalar = *call.attributes[i].scalar;
    const auto value = rule.attributes == Attributes::kFit ? words_of(scalar, rule, promoted, compute)
                                                           : scalar_words(scalar.saturated_to(promoted), compute);
    put_attribute(arguments, value, i, call.attributes.size());
  }
  for (const PointwiseInput& input : call.inputs) {
    if (!input.scalar) continue;
    arguments.scalar = words_of(*input.scalar, rule, promoted, compute);
  }
  return arguments;
}

StridedCall constants_of(const char* name, const PointwiseRow& row, DType promoted, ComputeClass compute) {
  StridedCall fixed;
  fixed.name = name;
  fixed.shader = (*row.shaders)[static_cast<std::size_t>(compute)];
  check(!fixed.shader.empty(), Code::kNnInner, "{} has no kernel that computes in {}.", name, promoted);
  fixed.promoted = promoted;
  PointwiseConstants constants;
  constants.kOperator = row.number;
  add_constants(fixed, constants);
  return fixed;
}

ComputeClass class_of(const PointwiseCall& call, DType promoted) {
  ComputeClass compute = class_for(promoted, {call.out->dtype});
  for (const PointwiseInput& input : call.inputs) {
    // For one promoted dtype the classes are ordered: a later one reads and writes all that an earlier one does.
    if (input.tensor) compute = std::max(compute, class_for(promoted, {input.tensor->dtype, call.out->dtype}));
  }
  return compute;
}

/// The operands of a call, in the order of its parameters.
Executor::Operands operands_of(const PointwiseCall& call) {
  Executor::Operands operands;
  TensorSlots& slots = operands.inputs;
  for (const PointwiseInput& input : call.inputs) {
    if (input.omitted) slots.add(nullptr);
    if (!input.tensor) continue;
    if (is_one_parameter(input.name, call.out_name)) operands.updated.push_back({slots.size(), 0});
    slots.add(input.tensor);
  }
  for (const TensorPtr& input : call.unread) slots.add(input);
  operands.outputs.add(call.out);
  return operands;
}

/// The index of each input among the executor's inputs; for a scalar that of the first tensor.
using Slots = InlineVector<std::size_t, 4>;

Slots slots_of(const PointwiseCall& call) {
  Slots slots;
  std::size_t slot = 0;
  for (const PointwiseInput& input : call.inputs) {
    slots.push_back(slot);
    if (input.tensor || input.omitted) ++slot;
  }
  const auto is_tensor = [](const PointwiseInput& input) { return input.tensor != nullptr; };
  const auto first = std::find_if(call.inputs.begin(), call.inputs.end(), is_tensor) - call.inputs.begin();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (!is_tensor(call.inputs[i])) slots[i] = slots[static_cast<std::size_t>(first)];
  }
  return slots;
}

/// Keeps the plan of a call, which other calls share, in place of kernels of its own.
class PointwiseExecutor final : public Executor {
 public:
  PointwiseExecutor(const PointwiseCall& call, PointwisePlanPtr plan)
      : Executor(call.name, operands_of(call)), plan_(std::move(plan)), slots_(slots_of(call)) {}

 private:
  Kernels build_kernels(const Operands& bound) const override { return plan_->build(tensors_of(bound)); }
  Kernels planned_kernels(const Operands& bound) const override {
    Kernels kernels;
    plan_->add_kernels_at(tensors_of(bound), kernels);
    return kernels;
  }

  PointwiseTensors tensors_of(const Operands& bound) const {
    PointwiseTensors tensors;
    for (const std::size_t slot : slots_) tensors.push_back(&bound.input(slot));
    tensors.push_back(&bound.output(0));
    return tensors;
  }

  const PointwisePlanPtr plan_;
  const Slots slots_;
};

std::shared_ptr<Executor> executor_of(const PointwiseCall& call, PointwisePlanPtr plan) {
  return std::make_shared<PointwiseExecutor>(call, std::move(plan));
}

}  // namespace

PointwiseInput number_input(const char* name, double value) {
  return {name, nullptr, std::make_shared<const Scalar>(&value, DType::kDouble)};
}

PointwiseCall read_pointwise(const char* name, std::size_t inputs, const PointwiseArguments& arguments) {
  PointwiseCall call;
  call.name = name;
  const PointwiseInput* first = nullptr;
  call.inputs.reserve(inputs);
  for (const PointwiseArgument& argument : arguments) {
    PointwiseInput input = read_input(argument);
    if (call.inputs.size() == inputs && input.tensor) {
      call.out_name = input.name;
      call.out = input.tensor;
      continue;
    }
    auto& to = call.inputs.size() < inputs ? call.inputs : call.attributes;
    to.push_back(std::move(input));
    if (!first && to.back().tensor) first = &to.back();
  }
  if (call.out) return call;
  call.out_name = first->name;
  call.out = first->tensor;
  return call;
}

DType check_pointwise(const PointwiseCall& call, const PointwiseRow& row) {
  check_dtypes(call, row.rule);
  const DType promoted = check_promotion(call, row);
  check_shapes(call);
  check_limit(call, row.rule.limit);
  return promoted;
}

StridedCall pointwise_constants(const PointwiseCall& call, const PointwiseRow& row, DType promoted) {
  const ComputeClass compute = class_of(call, promoted);
  StridedCall fixed = constants_of(call.name, row, promoted, compute);
  add_arguments(fixed, arguments_of(call, row.rule, promoted, compute));
  return fixed;
}

std::shared_ptr<Executor> plan_checked(const PointwiseCall& call, const PointwiseRow& row, DType promoted) {
  return executor_of(call, std::make_shared<const PointwisePlan>(call, row, promoted));
}

std::shared_ptr<Executor> plan_pointwise(const PointwiseCall& call, const PointwiseRow& row) {
  return executor_of(call, plan_of(call, row, key_of(call, row)));
}

Kernels pointwise_kernels(const char* name, const PointwiseRow& row, DType promoted,
                          const InlineVector<const Tensor*, 4>& inputs, const Tensor& out,
                          const PointwiseNumbers& numbers) {
  ComputeClass compute = class_for(promoted, {out.dtype});
  for (const Tensor* input : inputs) {
    if (input) compute = std::max(compute, class_for(promoted, {input->dtype, out.dtype}));
  }
  StridedCall run = constants_of(name, row, promoted, compute);
  add_arguments(run, words_of(numbers, compute));
  for (const Tensor* input : inputs) {
    run.operands.push_back({input ? input : inputs[0], Access::kRead, input == nullptr});
  }
  run.operands.push_back({&out, Access::kWrite, false});
  return strided_kernels(run);
}

}  // namespace aclvk::ops
