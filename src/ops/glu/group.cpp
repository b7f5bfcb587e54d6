#include "ops/glu/group.hpp"

#include <limits>
#include <utility>

#include "base/error.hpp"
#include "ops/args/glu.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/glu/glu.hpp"
#include "ops/glu/row_mask.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

constexpr const char* kGroups = "groupIndexOptional";
constexpr const char* kWeight = "weightOptional";

/// The kernels of a unit whose rows have a mask and weights.
Kernels forward_kernels(const GluUnit& unit, const Halves& halves, const RowMask& row_mask, const Tensor& x,
                        const Tensor& out) {
  const Tensor gate = halves.gate(x);
  const Tensor linear = halves.linear(x);
  StridedCall call = unit_call(unit, x.dtype, "glu/forward_weighted");
  call.operands = {{&row_mask.tensor, Access::kRead, false, &row_mask.steps},
                   {&gate, Access::kRead},
                   {&linear, Access::kRead},
                   {&out, Access::kWrite}};
  return strided_kernels(call);
}

void check_limit(const GluUnit& unit) {
  check(unit.limit > 0, Code::kNnInvalid, "limit is {}; expected a number above 0.", unit.limit);
}

}  // namespace

GluUnit clipped_unit(const char* name, double limit) {
  GluUnit unit{name, GluOp::kClippedSwiglu};
  // Clipping at infinity changes nothing, so the shader needs no variant without it.
  unit.limit = limit > 0 ? limit : std::numeric_limits<double>::infinity();
  return unit;
}

namespace {

/// A unit of which only some rows are computed. `weight` is null where the operator has no such parameter.
std::shared_ptr<Executor> plan_rows(const GluUnit& unit, const TensorPtr& x, const TensorPtr* weight,
                                    const TensorPtr& groups, const TensorPtr& out) {
  check_operand(*x, "x", unit_dtypes(unit.name));
  check_same_dtype(*out, "out", *x, "x");
  check_view(*out, "out");
  check_groups(groups, kGroups);
  const Halves halves = check_halves(unit, *x, "x");
  const Shape rows = rows_of(*x, halves);
  if (weight) check_row_weights(*weight, kWeight, {DType::kFloat}, rows);
  check_shape(*out, "out", half_shape(*x, halves), "a part of x has shape");
  Executor::Operands operands{{x.get()}, {out.get()}};
  const bool weighs = weight != nullptr;
  if (weighs) operands.inputs.add(*weight);
  operands.inputs.add(groups);
  return staged_executor(unit.name, std::move(operands), [=](const Executor::Operands& bound, Staging& staging) {
    check_distinct(bound.output(0), "out");
    check_overlap(bound.output(0), "out", halves, bound.input(0), "x");
    Kernels kernels;
    const RowMask row_mask =
        make_row_mask(kernels, staging, unit.name, rows, bound.input(0).shape.size(),
                      tensor_in(bound.inputs, weighs ? 2 : 1), weighs ? tensor_in(bound.inputs, 1) : nullptr);
    append(kernels, forward_kernels(unit, halves, row_mask, bound.input(0), bound.output(0)));
    return kernels;
  });
}

}  // namespace

std::shared_ptr<Executor> plan_clipped_swiglu(const GluUnit& unit, const InputArg& x_handle,
                                              const InputArg& groups_handle, const OutputArg& out_handle) {
  const TensorPtr x = required_tensor(x_handle);
  const TensorPtr groups = optional_tensor(groups_handle);
  const TensorPtr out = required_tensor(out_handle);
  auto executor = groups ? plan_rows(unit, x, nullptr, groups, out) : plan_glu(unit, x_handle, out_handle);
  check_limit(unit);
  return executor;
}

std::shared_ptr<Executor> plan_clipped_swiglu_v2(GluUnit unit, const InputArg& x, const InputArg& groups,
                                                 std::int64_t clamp_mode, const OutputArg& out) {
  if (clamp_mode == 1) unit.op = GluOp::kBoundedSwiglu;
  auto executor = plan_clipped_swiglu(unit, x, groups, out);
  check(clamp_mode == 0 || clamp_mode == 1, Code::kNnInvalid,
        "clampMode is {}; expected 0 (clips the gate) or 1 (clips its activation).", clamp_mode);
  return executor;
}

/// aclnnSwigluGroup: multiplies each row of the result by its weight. A limit of 0 or less clips nothing.
std::shared_ptr<Executor> plan(const SwigluGroupArgs& args) {
  const double limit = args.clampLimit;
  const GluUnit unit = clipped_unit("aclnnSwigluGroup", limit);
  const TensorPtr x = required_tensor(args.x);
  const TensorPtr weight = optional_tensor(args.weightOptional);
  const TensorPtr groups = optional_tensor(args.groupIndexOptional);
  const TensorPtr out = required_tensor(args.out);
  // Without groups and weights all rows are computed alike, and no mask is needed.
  if (!weight && !groups) return plan_glu(unit, args.x, args.out);
  return plan_rows(unit, x, &weight, groups, out);
}

}  // namespace aclvk::ops
