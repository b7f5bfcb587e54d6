#include <utility>

#include "base/error.hpp"
#include "ops/elementwise/tables.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/glu/glu.hpp"
#include "ops/glu/group.hpp"
#include "ops/glu/row_mask.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/reduction/reduce.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

constexpr const char* kGroups = "groupIndexOptional";
constexpr const char* kWeight = "weightOptional";
constexpr const char* kWeightOut = "gradWeightOutOptional";
constexpr const char* kOut = "gradXOut";

/// The operands that all kernels of a gradient read.
struct Gradient {
  GluUnit unit;
  Halves halves;
  Tensor gradient;
  Tensor x;

  Kernels kernels(const RowMask& row_mask, GradientOf of, const Tensor& to) const {
    const Tensor gate = halves.gate(x);
    const Tensor linear = halves.linear(x);
    StridedCall call = unit_call(unit, x.dtype, "glu/backward_single");
    set_gradient(call, of);
    call.operands = {{&row_mask.tensor, Access::kRead, false, &row_mask.steps},
                     {&gradient, Access::kRead},
                     {&gate, Access::kRead},
                     {&linear, Access::kRead},
                     {&to, Access::kWrite}};
    return strided_kernels(call);
  }
  Kernels of_halves(const RowMask& row_mask, const Tensor& out) const {
    // A row outside of all groups keeps its contents, which needs the kernel with a mask and one output.
    Kernels both = kernels(row_mask, GradientOf::kGate, halves.gate(out));
    append(both, kernels(row_mask, GradientOf::kLinear, halves.linear(out)));
    return both;
  }
};

struct GradientTensors {
  TensorPtr gradient;
  TensorPtr x;
  TensorPtr groups;
  TensorPtr out;
};

Halves check_tensors(const GluUnit& unit, const GradientTensors& tensors) {
  check_operand(*tensors.x, "x", unit_dtypes(unit.name));
  check_same_dtype(*tensors.gradient, "gradY", *tensors.x, "x");
  check_same_dtype(*tensors.out, kOut, *tensors.x, "x");
  check_view(*tensors.gradient, "gradY");
  check_view(*tensors.out, kOut);
  check_groups(tensors.groups, kGroups);
  const Halves halves = check_halves(unit, *tensors.x, "x");
  check_shape(*tensors.gradient, "gradY", half_shape(*tensors.x, halves), "a part of x has shape");
  check_shape(*tensors.out, kOut, tensors.x->shape, "x has shape");
  return halves;
}

/// The gradients of the two halves are separate kernels, so `out` must not share memory with x.
void check_out(const Executor::Operands& bound, const Tensor& out, const char* out_name) {
  check_distinct(out, out_name);
  for (std::size_t slot = 0; slot < bound.inputs.size(); ++slot) {
    if (const Tensor* input = tensor_in(bound.inputs, slot)) check_disjoint(out, out_name, *input, "an input");
  }
}

}  // namespace

std::shared_ptr<Executor> plan_clipped_swiglu_gradient(const GluUnit& unit, const InputArg& gradient, const InputArg& x,
                                                       const InputArg& groups, const OutputArg& out) {
  const GradientTensors tensors{required_tensor(gradient), required_tensor(x), optional_tensor(groups),
                                required_tensor(out)};
  const Halves halves = check_tensors(unit, tensors);
  check(unit.limit > 0, Code::kNnInvalid, "limit is {}; expected a number above 0.", unit.limit);
  if (!tensors.groups) return plan_glu_gradient(unit, gradient, x, out);
  const Shape rows = rows_of(*tensors.x, halves);
  Executor::Operands operands{{tensors.gradient.get(), tensors.x.get(), tensors.groups.get()}, {tensors.out.get()}};
  return staged_executor(unit.name, std::move(operands), [=](const Executor::Operands& bound, Staging& staging) {
    check_out(bound, bound.output(0), kOut);
    Kernels kernels;
    const RowMask row_mask =
        make_row_mask(kernels, staging, unit.name, rows, bound.input(1).shape.size(), &bound.input(2), nullptr);
    append(kernels, Gradient{unit, halves, bound.input(0), bound.input(1)}.of_halves(row_mask, bound.output(0)));
    return kernels;
  });
}

namespace {

/// Sums each row of `products` and writes the sums of active rows to `out`.
Kernels weight_kernels(const char* name, Staging& staging, const Tensor& products, const RowMask& row_mask,
                       bool grouped, const Tensor& out) {
  const Tensor sums = staging.make(out.shape, DType::kFloat);
  Reduction reduction = reduction_of(name, ReduceKind::kSum, products, DType::kFloat, sums);
  reduction.dims = mask_of(products, -1, "dim");
  const auto bytes = static_cast<std::int64_t>(reduction_workspace(reduction, products, 1));
  const Tensor states = staging.make({bytes}, DType::kUint8);
  Kernels kernels = reduction_kernels(reduction, products, {&sums}, const_cast<std::byte*>(states.address()));
  const Tensor active = row_mask.active();
  // Rows outside of all groups keep what `out` holds.
  append(kernels, grouped
                      ? pointwise_kernels(name, row_of(TernaryOp::kWhere), DType::kFloat, {&active, &sums, &out}, out)
                      : copy_kernels(name, out, sums));
  return kernels;
}

void check_origin(const TensorPtr& origin, const GradientTensors& tensors) {
  if (!origin) return;
  check_same_dtype(*origin, "yOriginOptional", *tensors.x, "x");
  check_view(*origin, "yOriginOptional");
  check_shape(*origin, "yOriginOptional", tensors.gradient->shape, "gradY has shape");
}

}  // namespace

std::shared_ptr<Executor> plan_swiglu_group_gradient(const char* name, const SwigluGroupGradient& handles) {
  const GluUnit unit = clipped_unit(name, handles.limit);
  const GradientTensors tensors{required_tensor(handles.gradient), required_tensor(handles.x),
                                optional_tensor(handles.groups), required_tensor(handles.out)};
  const TensorPtr weight = optional_tensor(handles.weight);
  const TensorPtr origin = optional_tensor(handles.origin);
  const TensorPtr weight_out = optional_tensor(handles.weight_out);
  const Halves halves = check_tensors(unit, tensors);
  const Shape rows = rows_of(*tensors.x, halves);
  check_row_weights(weight, kWeight, {DType::kFloat}, rows);
  check_row_weights(weight_out, kWeightOut, {DType::kFloat}, rows);
  check_origin(origin, tensors);
  Executor::Operands operands{{tensors.gradient.get(), tensors.x.get()}, {tensors.out.get()}};
  for (const TensorPtr& optional : {weight, origin, tensors.groups}) operands.inputs.add(optional);
  operands.outputs.add(weight_out);
  return staged_executor(unit.name, std::move(operands), [=](const Executor::Operands& bound, Staging& staging) {
    const Tensor* const groups = tensor_in(bound.inputs, 4);
    check_out(bound, bound.output(0), kOut);
    Kernels kernels;
    const Gradient gradient{unit, halves, bound.input(0), bound.input(1)};
    const RowMask row_mask =
        make_row_mask(kernels, staging, name, rows, gradient.x.shape.size(), groups, tensor_in(bound.inputs, 2));
    append(kernels, gradient.of_halves(row_mask, bound.output(0)));
    if (bound.outputs.count(1) == 0) return kernels;
    check_out(bound, bound.output(1), kWeightOut);
    const Tensor products = staging.make(gradient.gradient.shape, DType::kFloat);
    // The gradient of a row's weight is the sum of gradY times the unweighted result, which the program may have
    // kept.
    const Tensor* const known = tensor_in(bound.inputs, 3);
    append(kernels,
           known ? pointwise_kernels(name, row_of(BinaryOp::kMul), DType::kFloat, {&gradient.gradient, known}, products)
                 : gradient.kernels(row_mask, GradientOf::kWeight, products));
    append(kernels,
           weight_kernels(name, staging, products, row_mask, groups != nullptr, as_rows(bound.output(1), rows)));
    return kernels;
  });
}

}  // namespace aclvk::ops
