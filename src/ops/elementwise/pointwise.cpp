#include "ops/elementwise/pointwise.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "ops/promotion.hpp"
#include "ops/strided.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

constexpr std::size_t kWordsOfValue = 4;
constexpr std::size_t kScalarPlace = 4;  // behind the first two attributes

PointwiseInput read_input(const PointwiseArgument& argument) {
  PointwiseInput input;
  input.name = argument.name;
  if (argument.is_number) {
    input.scalar = std::make_shared<const Scalar>(&argument.number, DType::kDouble);
  } else if (argument.is_scalar) {
    input.scalar = required_scalar(argument.handle, argument.name);
  } else {
    input.tensor = required_tensor(argument.handle, argument.name);
  }
  return input;
}

bool is_mask(const PointwiseRule& rule, std::size_t index) { return rule.mask == static_cast<int>(index); }

void check_dtypes(const PointwiseCall& call, const PointwiseRule& rule) {
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    const PointwiseInput& input = call.inputs[i];
    if (input.tensor) check_dtype(*input.tensor, input.name, is_mask(rule, i) ? rule.masks : rule.inputs);
  }
  check_dtype(*call.out, call.out_name, rule.outputs);
}

/// The tensors promote together, then the scalar with what they gave.
DType promote_all(const PointwiseCall& call, const PointwiseRule& rule) {
  const PointwiseInput* named = nullptr;
  DType dtype = DType::kBool;
  const auto add = [&](const PointwiseInput& input) {
    const auto both = !named         ? input.dtype()
                      : input.tensor ? promote(dtype, input.dtype())
                                     : promote_scalar(dtype, input.dtype());
    check(both.has_value(), Code::kNnInvalid, "{} has dtype {} and {} has dtype {}; no dtype holds both.", named->name,
          dtype, input.name, input.dtype());
    if (!named) named = &input;
    dtype = *both;
  };
  for (const bool scalars : {false, true}) {
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
      if (!is_mask(rule, i) && (call.inputs[i].scalar != nullptr) == scalars) add(call.inputs[i]);
    }
  }
  return dtype;
}

DType promoted_dtype(const PointwiseCall& call, const PointwiseRule& rule) {
  if (rule.promotion == Promotion::kFirst) return call.inputs.front().dtype();
  const DType promoted = promote_all(call, rule);
  const bool whole = kind_of(promoted) <= Kind::kInteger;
  return whole && rule.promotion == Promotion::kRealOfAll ? DType::kFloat : promoted;
}

DType check_promotion(const PointwiseCall& call, const PointwiseRule& rule) {
  const DType promoted = promoted_dtype(call, rule);
  check(rule.promoted.contains(promoted), Code::kNnInvalid, "{} combines its operands in {}; it supports {}.",
        call.name, promoted, rule.promoted);
  for (std::size_t i = 1; i < call.inputs.size() && rule.promotion == Promotion::kFirst; ++i) {
    if (is_mask(rule, i)) continue;
    check_castable(call.inputs[i].dtype(), promoted, call.inputs[i].name, call.inputs.front().name);
  }
  for (const PointwiseInput& attribute : call.attributes) {
    if (rule.is_truth) continue;  // tolerances are no operands
    check_castable(attribute.scalar->dtype(), promoted, attribute.name, "the combined operands");
  }
  if (!rule.casts)
    check_castable(rule.is_truth ? DType::kBool : promoted, call.out->dtype, "the result", call.out_name);
  return promoted;
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
  check_shape(*call.out, call.out_name, broadcast.shape, several ? "the operands broadcast to" : "the input has shape");
}

/// What a scalar input is worth: a comparison rounds it to the dtype in which it compares, arithmetic does not.
std::array<std::uint32_t, kWordsOfValue> words_of(const Scalar& scalar, const PointwiseRule& rule, DType promoted,
                                                  ComputeClass compute) {
  const bool whole = kind_of(promoted) <= Kind::kInteger;
  return scalar_words(whole || rule.is_truth ? scalar.rounded_to(promoted) : scalar, compute);
}

/// Attribute 0 and 1 in the two halves of the first four words, or attribute 0 in all of them; then a scalar input or
/// attribute 2.
InlineVector<std::uint32_t, 8> arguments_of(const PointwiseCall& call, const PointwiseRule& rule, DType promoted,
                                            ComputeClass compute) {
  InlineVector<std::uint32_t, 8> words(2 * kWordsOfValue);
  for (std::size_t i = 0; i < call.attributes.size(); ++i) {
    const auto value = scalar_words(*call.attributes[i].scalar, compute);
    std::copy_n(value.begin(), call.attributes.size() == 1 ? kWordsOfValue : kWordsOfValue / 2, words.begin() + 2 * i);
  }
  for (const PointwiseInput& input : call.inputs) {
    if (!input.scalar) continue;
    const auto value = words_of(*input.scalar, rule, promoted, compute);
    std::copy(value.begin(), value.end(), words.begin() + kScalarPlace);
  }
  return words;
}

StridedCall fixed_part(const char* name, const PointwiseRow& row, DType promoted, ComputeClass compute) {
  StridedCall fixed;
  fixed.name = name;
  fixed.shader = row.shaders[static_cast<std::size_t>(compute)];
  fixed.constants = {static_cast<std::uint32_t>(promoted), row.number};
  fixed.arguments.resize(2 * kWordsOfValue);
  return fixed;
}

ComputeClass class_of(const PointwiseCall& call, DType promoted) {
  ComputeClass compute = class_for(promoted, {call.out->dtype});
  for (const PointwiseInput& input : call.inputs) {
    if (input.tensor) compute = std::max(compute, class_for(promoted, {input.tensor->dtype, call.out->dtype}));
  }
  return compute;
}

/// An input by name, and its place among the executor's inputs; none for a scalar.
struct Place {
  const char* name;
  std::size_t slot;
  bool is_scalar;
};

std::vector<runtime::Kernel> build(const StridedCall& fixed, const InlineVector<Place, 3>& places, const char* out_name,
                                   const Executor::Operands& now) {
  check_distinct(now.output(0), out_name);
  StridedCall run = fixed;
  for (const Place& place : places) {
    if (!place.is_scalar) check_overlap(now.output(0), out_name, now.input(place.slot), place.name);
    run.operands.push_back({&now.input(place.slot), Access::kRead, place.is_scalar});
  }
  run.operands.push_back({&now.output(0), Access::kWrite, false});
  return strided_kernels(run);
}

}  // namespace

PointwiseArguments PointwiseArguments::with(const PointwiseArgument& attribute) const {
  PointwiseArguments more = *this;
  more.attributes.push_back(attribute);
  return more;
}

PointwiseArguments PointwiseArguments::to(const PointwiseArgument& output) const {
  PointwiseArguments more = *this;
  more.out = output;
  return more;
}

PointwiseCall read_pointwise(const char* name, const PointwiseArguments& arguments) {
  PointwiseCall call;
  call.name = name;
  for (const PointwiseArgument& input : arguments.inputs) call.inputs.push_back(read_input(input));
  for (const PointwiseArgument& attribute : arguments.attributes) call.attributes.push_back(read_input(attribute));
  call.out_name = arguments.out.name;
  call.out = required_tensor(arguments.out.handle, arguments.out.name);
  return call;
}

std::shared_ptr<Executor> plan_pointwise(const PointwiseCall& call, const PointwiseRow& row) {
  check_dtypes(call, row.rule);
  const DType promoted = check_promotion(call, row.rule);
  check_shapes(call);
  const ComputeClass compute = class_of(call, promoted);
  StridedCall fixed = fixed_part(call.name, row, promoted, compute);
  fixed.arguments = arguments_of(call, row.rule, promoted, compute);
  TensorSlots slots;
  InlineVector<Place, 3> places;
  for (const PointwiseInput& input : call.inputs) {
    places.push_back({input.name, input.tensor ? slots.size() : 0, !input.tensor});
    if (input.tensor) slots.add(input.tensor.get(), input.tensor.get() + 1);
  }
  return std::make_shared<Executor>(call.name, Executor::Operands{std::move(slots), {call.out.get()}},
                                    [fixed, places, out_name = call.out_name](const Executor::Operands& now) {
                                      return build(fixed, places, out_name, now);
                                    });
}

std::vector<runtime::Kernel> pointwise_kernels(const char* name, const PointwiseRow& row, DType promoted,
                                               std::initializer_list<const Tensor*> inputs, const Tensor& out) {
  ComputeClass compute = class_for(promoted, {out.dtype});
  for (const Tensor* input : inputs) compute = std::max(compute, class_for(promoted, {input->dtype, out.dtype}));
  StridedCall run = fixed_part(name, row, promoted, compute);
  for (const Tensor* input : inputs) run.operands.push_back({input, Access::kRead, false});
  run.operands.push_back({&out, Access::kWrite, false});
  return strided_kernels(run);
}

}  // namespace aclvk::ops
