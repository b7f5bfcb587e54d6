#include "ops/loss/loss.hpp"

#include <algorithm>
#include <string_view>

#include "base/error.hpp"
#include "ops/elementwise/tables.hpp"
#include "ops/executor/operator_dtypes.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/loss/loss_reduction.hpp"
#include "ops/reduction/reduce.hpp"
#include "ops/tensor/promotion.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;
using Inputs = InlineVector<const Tensor*, 4>;

constexpr std::size_t kWeight = 3;  // index of a gradient's fourth input

/// Weights are optional even where the parameter's name does not end in Optional.
bool is_optional(std::string_view name) {
  constexpr std::string_view kMark = "Optional";
  return name == "weight" || (name.size() > kMark.size() && name.substr(name.size() - kMark.size()) == kMark);
}

/// The checked parameters of a call.
struct Loss {
  Loss(const LossCall& call, bool is_gradient) : self(is_gradient ? 1 : 0) {
    for (const InputArg& input : call.inputs) {
      const bool optional = is_optional(input.name);
      inputs.push_back(optional ? tensors.optional_input(input) : tensors.input(input));
    }
    out = tensors.output(call.out);
    tensors.check_dtypes(dtypes_of(call.name));
    check_promotion();
    tensors.check_views();
    check_shapes(call.target);
    reduction = checked_reduction(call.reduction);
    check(call.beta >= 0, Code::kNnInvalid, "beta is {}; expected 0 or more.", call.beta);
  }

  /// Floating-point losses compute in float, integer ones in INT64.
  void check_promotion() {
    DType all = tensors[inputs[0]].dtype;
    for (const ParamId input : inputs) {
      if (!tensors.has(input)) continue;
      const DType dtype = tensors[input].dtype;
      const auto both = promote(all, dtype);
      check(both.has_value(), Code::kNnInvalid, "{} has dtype {} and the others promote to {}; no dtype holds both.",
            tensors.name(input), dtype, all);
      all = *both;
    }
    check_castable(all, tensors[out].dtype, "the result", tensors.name(out));
    computed = kind_of(all) == Kind::kFloating ? DType::kFloat : DType::kInt64;
  }

  void check_shapes(Target target_kind) {
    const ParamId first = inputs[self];
    const ParamId target = inputs[self + 1];
    shape = check_broadcast(tensors[first], tensors.name(first), tensors[target], tensors.name(target));
    if (target_kind == Target::kAsSelf) {
      check_shape(tensors[target], tensors.name(target), tensors[first].shape, "self has shape");
    }
    for (const ParamId input : inputs) {
      const bool fits = !tensors.has(input) || broadcast(tensors[input].shape, shape) == shape;
      check(fits, Code::kNnInvalid, "{} has shape {}; it does not broadcast to that of the elements, {}.",
            tensors.name(input), tensors.has(input) ? tensors[input].shape : Shape{}, shape);
    }
  }

  TensorParameters tensors{};
  std::vector<ParamId> inputs{};
  std::size_t self;  ///< index of self among the inputs
  ParamId out{};
  Shape shape{};
  DType computed = DType::kFloat;
  LossReduction reduction = LossReduction::kNone;
};

Inputs inputs_of(const std::vector<ParamId>& params, std::size_t wanted, const TensorParameters::BoundTensors& bound) {
  Inputs inputs;
  for (const ParamId param : params) inputs.push_back(bound[param]);
  // Null stands for an optional input that is missing.
  inputs.resize(std::max(wanted, inputs.size()));
  return inputs;
}

/// Returns whether only the first dim is reduced.
bool keeps_dims(const LossCall& call, const Loss& loss) {
  const Tensor& out = loss.tensors[loss.out];
  if (!call.may_keep_dims || loss.reduction == LossReduction::kNone || loss.shape.size() < 2) return false;
  return out.elements() != 1 && out.shape == Shape(loss.shape.begin() + 1, loss.shape.end());
}

}  // namespace

std::shared_ptr<Executor> plan_loss(const LossCall& call) {
  const Loss loss(call, false);
  const bool of_first_dim = keeps_dims(call, loss);
  if (!of_first_dim) check_loss_shape(loss.tensors[loss.out], call.out.name, loss.shape, loss.reduction);
  const PointwiseNumbers numbers{{call.beta}};
  return staged_executor(
      call.name, loss.tensors,
      [=, name = call.name, row = call.row, params = loss.inputs, param = loss.out, shape = loss.shape,
       computed = loss.computed,
       reduction = loss.reduction](const TensorParameters::BoundTensors& bound, Staging& staging) {
        const Inputs inputs = inputs_of(params, row.inputs, bound);
        const Tensor& out = *bound[param];
        if (reduction == LossReduction::kNone) return pointwise_kernels(name, row, computed, inputs, out, numbers);
        const Tensor elements = staging.make(shape, computed);
        Kernels kernels = pointwise_kernels(name, row, computed, inputs, elements, numbers);
        const bool in_float = kind_of(out.dtype) == Kind::kFloating;
        append(kernels, reduce_kernels(name, reduction == LossReduction::kMean ? ReduceKind::kMean : ReduceKind::kSum,
                                       in_float ? DType::kFloat : computed, elements,
                                       of_first_dim ? DimMask{1} : all_dims(elements), out, staging));
        return kernels;
      });
}

std::shared_ptr<Executor> plan_loss_gradient(const LossCall& call) {
  const Loss loss(call, true);
  check_shape(loss.tensors[loss.out], call.out.name, loss.shape, "the elements have shape");
  const bool is_mean = loss.reduction == LossReduction::kMean;
  // The gradient of a mean is that of a sum divided by the number of elements.
  const double share = is_mean ? 1.0 / static_cast<double>(element_count(loss.shape)) : 1.0;
  const PointwiseNumbers numbers{{call.beta, share}};
  return staged_executor(
      call.name, loss.tensors,
      [=, name = call.name, row = call.row, params = loss.inputs, param = loss.out, shape = loss.shape](
          const TensorParameters::BoundTensors& bound, Staging& staging) {
        Inputs inputs = inputs_of(params, row.inputs, bound);
        const Tensor& out = *bound[param];
        // A row with an operand for each input applies the weight itself.
        if (inputs.size() == row.inputs) return pointwise_kernels(name, row, DType::kFloat, inputs, out, numbers);
        const Tensor* weight = inputs[kWeight];
        inputs.erase(inputs.begin() + kWeight);
        if (!weight) return pointwise_kernels(name, row, DType::kFloat, inputs, out, numbers);
        const Tensor product = staging.make(shape, DType::kFloat);
        const PointwiseRow multiply = row_of(BinaryOp::kMul);
        Kernels kernels = pointwise_kernels(name, multiply, DType::kFloat, {inputs[0], weight}, product);
        // The weight multiplies the incoming gradient, since the loss is linear in the weight.
        inputs[0] = &product;
        append(kernels, pointwise_kernels(name, row, DType::kFloat, inputs, out, numbers));
        return kernels;
      });
}

}  // namespace aclvk::ops
