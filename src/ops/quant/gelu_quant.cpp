#include "ops/quant/gelu_quant.hpp"

#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "ops/executor/handles.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/quant/quantize.hpp"
#include "ops/reduction/reduce.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

constexpr const char* kName = "aclnnGeluQuant";
constexpr const char* kScale = "inputScaleOptional";
constexpr const char* kOffset = "inputOffsetOptional";
constexpr const char* kOutScale = "outScaleOptional";
constexpr DTypeSet kQuantized = {DType::kInt8, DType::kFloat8E4M3, DType::kFloat8E5M2};

// The largest finite values of INT8, E4M3FN and E5M2.
double largest_of(DType dtype) { return dtype == DType::kInt8 ? 127 : dtype == DType::kFloat8E4M3 ? 448 : 57344; }

struct Call {
  TensorPtr self;
  TensorPtr scale;
  TensorPtr offset;
  TensorPtr y;
  TensorPtr out_scale;
  QuantActivation activation = QuantActivation::kGelu;
  bool dynamic = false;
};

std::string_view one_of(const char* value, const char* name, std::string_view first, std::string_view second) {
  check(value == first || value == second, Code::kNnInvalid, "{} is \"{}\"; expected \"{}\" or \"{}\".", name, value,
        first, second);
  return value;
}

/// Checks a scale or an offset: one element, or one for each column.
void check_factor(const TensorPtr& factor, const char* name, const Tensor& self) {
  if (!factor) return;
  check_operand(*factor, name, kFloats);
  const Shape row = self.shape.empty() ? Shape{1} : Shape{self.shape.back()};
  check(factor->shape.size() <= 1 && (factor->elements() == 1 || factor->shape == row), Code::kNnInvalid,
        "{} has shape {}; expected one element, or {}.", name, factor->shape, row);
}

Shape rows_of(const Tensor& self) { return {self.shape.begin(), self.shape.end() - 1}; }

void check_dynamic(const Call& call) {
  check(!call.offset, Code::kNnInvalid, "{} is given; NULL is expected with the quantMode \"dynamic\".", kOffset);
  check(!call.self->shape.empty(), Code::kNnInvalid,
        "self is a scalar; a last dimension is expected with the quantMode \"dynamic\".");
  check_operand(*call.out_scale, kOutScale, {DType::kFloat});
  check_shape(*call.out_scale, kOutScale, rows_of(*call.self), "an element for each row makes");
}

Call checked(const GeluQuantHandles& handles) {
  Call call;
  call.self = required_tensor(handles.self);
  call.scale = optional_tensor(handles.scale);
  call.offset = optional_tensor(handles.offset);
  require(handles.approximate, "approximate");
  require(handles.quant_mode, "quantMode");
  require(handles.round_mode, "roundMode");
  call.y = required_tensor(handles.y);
  call.dynamic = std::string_view(handles.quant_mode) == "dynamic";
  if (call.dynamic) call.out_scale = required_tensor(handles.out_scale);
  if (!call.dynamic) required_tensor(handles.scale);
  check_operand(*call.self, "self", kFloats);
  check_operand(*call.y, "y", kQuantized);
  check_shape(*call.y, "y", call.self->shape, "self has shape");
  check_factor(call.scale, kScale, *call.self);
  check_factor(call.offset, kOffset, *call.self);
  if (one_of(handles.approximate, "approximate", "none", "tanh") == "tanh") {
    call.activation = QuantActivation::kGeluTanh;
  }
  one_of(handles.quant_mode, "quantMode", "static", "dynamic");
  check(std::string_view(handles.round_mode) == "rint", Code::kNnInvalid,
        "roundMode is \"{}\"; expected \"rint\" for these dtypes.", handles.round_mode);
  check(handles.dst_type == static_cast<std::int64_t>(call.y->dtype), Code::kNnInvalid,
        "dstType is {}; y has dtype {}.", handles.dst_type, call.y->dtype);
  if (call.dynamic) check_dynamic(call);
  return call;
}

/// Writes max(abs(x)) of each row over the largest number of `quantized` to `scale`.
Kernels scale_kernels(Staging& staging, const Tensor& values, const Tensor& scale, DType quantized) {
  const Tensor most = staging.make(scale.shape, DType::kFloat);
  Reduction reduction = reduction_of(kName, ReduceKind::kNormMax, values, DType::kFloat, most);
  reduction.dims = mask_of(values, -1, "dim");
  const auto bytes = static_cast<std::int64_t>(reduction_workspace(reduction, values, 1));
  const Tensor states = staging.make({bytes}, DType::kUint8);
  Kernels kernels = reduction_kernels(reduction, values, {&most}, const_cast<std::byte*>(states.address()));
  // The division by a constant is a quantization to FLOAT, which does not round.
  Quantize divide{&most, &scale};
  divide.one_scale = largest_of(quantized);
  divide.divides = true;
  append(kernels, quantize_kernels(kName, divide));
  return kernels;
}

Kernels static_kernels(const Executor::Operands& bound, QuantActivation activation) {
  Quantize all{&bound.input(0), &bound.output(0)};
  all.scale = &bound.input(1);
  all.offset = tensor_in(bound.inputs, 2);
  all.activation = activation;
  return quantize_kernels(kName, all);
}

Kernels dynamic_kernels(const Executor::Operands& bound, QuantActivation activation, Staging& staging) {
  // The activation is evaluated once and kept in float for the maximum and the quantization.
  const Tensor values = staging.make(bound.input(0).shape, DType::kFloat);
  Quantize first{&bound.input(0), &values};
  first.scale = tensor_in(bound.inputs, 1);
  first.activation = activation;
  Kernels kernels = quantize_kernels(kName, first);
  const Tensor& scale = bound.output(1);
  append(kernels, scale_kernels(staging, values, scale, bound.output(0).dtype));
  const Tensor column = scale.shape.empty() ? scale : unflattened(scale, scale.shape.size() - 1, 1);
  Quantize last{&values, &bound.output(0)};
  last.scale = &column;
  last.divides = true;
  // A row of zeros has the scale 0, and 0 / 0 would be NaN.
  last.keeps_zeros = true;
  append(kernels, quantize_kernels(kName, last));
  return kernels;
}

}  // namespace

std::shared_ptr<Executor> plan_gelu_quant(const GeluQuantHandles& handles) {
  const Call call = checked(handles);
  Executor::Operands operands{{call.self.get()}, {call.y.get()}};
  operands.inputs.add(call.scale);
  operands.inputs.add(call.offset);
  operands.outputs.add(call.out_scale);
  return staged_executor(
      kName, std::move(operands),
      [activation = call.activation, dynamic = call.dynamic](const Executor::Operands& bound, Staging& staging) {
        for (std::size_t slot = 0; slot < bound.outputs.size(); ++slot) {
          if (const Tensor* out = tensor_in(bound.outputs, slot)) {
            check_distinct(*out, "an output");
            check_disjoint(*out, "an output", bound.input(0), "self");
          }
        }
        return dynamic ? dynamic_kernels(bound, activation, staging) : static_kernels(bound, activation);
      });
}

}  // namespace aclvk::ops
