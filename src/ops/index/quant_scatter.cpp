#include "ops/index/quant_scatter.hpp"

#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "ops/executor/handles.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/index/scatter_rows.hpp"
#include "ops/quant/quantize.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

constexpr DTypeSet kUpdates = {DType::kFloat16, DType::kBfloat16, DType::kFloat};
constexpr DTypeSet kZeroPoints = kUpdates.with({DType::kInt8, DType::kInt32});

/// Views the factors along a dim as a tensor that broadcasts to `shape`.
Tensor broadcast_along(const Tensor& factors, const Shape& shape, std::size_t dim) {
  Tensor view = *reshaped(factors, {shape[dim]});
  for (std::size_t i = dim + 1; i < shape.size(); ++i) view = unflattened(view, view.shape.size() - 1, 1);
  return view;
}

void check_factors(const TensorPtr& factors, const char* name, const DTypeSet& dtypes, const Shape& shape,
                   std::size_t dim) {
  if (!factors) return;
  check_operand(*factors, name, dtypes);
  check(factors->elements() == shape[dim] && reshaped(*factors, {shape[dim]}), Code::kNnInvalid,
        "{} has shape {}; expected an element for each of the {} along dimension {} of updates.", name, factors->shape,
        shape[dim], dim);
}

}  // namespace

namespace {

std::shared_ptr<Executor> plan(const QuantScatterHandles& handles, const DTypeSet& caches) {
  const char* const name = handles.name;
  const TensorPtr self = required_tensor(handles.self);
  const TensorPtr indices = required_tensor(handles.indices);
  const TensorPtr updates = required_tensor(handles.updates);
  const TensorPtr scales = required_tensor(handles.scales);
  const TensorPtr zero_points = optional_tensor(handles.zero_points);
  check_operand(*self, "selfRef", caches);
  check_index(*indices, "indices");
  check_operand(*updates, "updates", kUpdates);
  const std::size_t along = check_update(*self, "selfRef", *indices, *updates, handles.axis);
  const std::size_t quantized = checked_dim(handles.quant_axis, updates->shape.size(), "quantAxis");
  check_factors(scales, "quantScales", kUpdates, updates->shape, quantized);
  check_factors(zero_points, "quantZeroPoints", kZeroPoints, updates->shape, quantized);
  check(handles.reduction == 0 || handles.reduction == 1, Code::kNnInvalid,
        "reduction is {}; expected 0 or 1, which both replace elements.", handles.reduction);
  Executor::Operands operands{{self.get(), indices.get(), updates.get(), scales.get()}, {self.get()}, {{0, 0}}};
  operands.inputs.add(zero_points);
  return staged_executor(name, std::move(operands), [=](const Executor::Operands& bound, Staging& staging) {
    const Tensor& to = bound.output(0);
    const Tensor& from = bound.input(2);
    check_distinct(to, "selfRef");
    for (std::size_t slot = 1; slot < bound.inputs.size(); ++slot) {
      if (const Tensor* input = tensor_in(bound.inputs, slot)) check_disjoint(to, "selfRef", *input, "an input");
    }
    // The updates are quantized before they move, so the scatter handles elements of the cache's dtype only.
    const Tensor rounded = staging.make(from.shape, to.dtype);
    const Tensor factors = broadcast_along(bound.input(3), from.shape, quantized);
    const Tensor* const given = tensor_in(bound.inputs, 4);
    // Without zero points the view is not read.
    const Tensor zeros = given ? broadcast_along(*given, from.shape, quantized) : factors;
    Quantize quantize{&from, &rounded};
    quantize.scale = &factors;
    quantize.offset = given ? &zeros : nullptr;
    quantize.divides = true;
    Kernels kernels = quantize_kernels(name, quantize);
    append(kernels, update_kernels(name, to, bound.input(1), rounded, along));
    return kernels;
  });
}

}  // namespace

std::shared_ptr<Executor> plan_quant_scatter(const QuantScatterHandles& handles) {
  return plan(handles, {DType::kInt8});
}

std::shared_ptr<Executor> plan_quant_scatter_v2(const QuantScatterHandles& handles, const char* round_mode) {
  auto executor = plan(handles, {DType::kInt8, DType::kFloat8E4M3});
  require(round_mode, "roundMode");
  check(std::string_view(round_mode) == "rint", Code::kNnInvalid,
        "roundMode is \"{}\"; expected \"rint\" for these dtypes.", round_mode);
  return executor;
}

}  // namespace aclvk::ops
