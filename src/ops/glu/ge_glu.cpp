#include <utility>

#include "ops/elementwise/tables.hpp"
#include "ops/executor/operator.hpp"
#include "ops/glu/glu.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

struct GeGlu {
  GluUnit unit;
  Halves halves;
};

/// Checks self, then the operands that have the shape of a half, then the attributes.
GeGlu checked(const char* name, const GeGluAttributes& attributes, const Tensor& self,
              std::initializer_list<std::pair<const Tensor*, const char*>> halves) {
  check_operand(self, "self", unit_dtypes(name));
  for (const auto& [tensor, half_name] : halves) {
    check_same_dtype(*tensor, half_name, self, "self");
    check_view(*tensor, half_name);
  }
  GluUnit unit{name, GluOp::kGeGlu, attributes.dim, attributes.activated};
  const Halves found = check_halves(unit, self, "self");
  for (const auto& [tensor, half_name] : halves) {
    check_shape(*tensor, half_name, half_shape(self, found), "a part of self has shape");
  }
  unit.op = gelu_unit(attributes.approximate);
  return {unit, found};
}

}  // namespace

std::shared_ptr<Executor> plan_ge_glu(const char* name, const GeGluAttributes& attributes, const InputArg& self_handle,
                                      const OutputArg& out_handle, const OutputArg& gelu_handle) {
  const TensorPtr self = required_tensor(self_handle);
  const TensorPtr out = required_tensor(out_handle);
  const TensorPtr gelu = required_tensor(gelu_handle);
  const GeGlu call = checked(name, attributes, *self, {{out.get(), "out"}, {gelu.get(), "outGelu"}});
  auto build = [fixed = unit_call(call.unit, self->dtype, "glu/forward_activation"),
                halves = call.halves](const Executor::Operands& bound) {
    const Tensor gate = halves.gate(bound.input(0));
    const Tensor linear = halves.linear(bound.input(0));
    for (const auto& [output, out_name] : {std::pair{&bound.output(0), "out"}, {&bound.output(1), "outGelu"}}) {
      check_distinct(*output, out_name);
      check_overlap(*output, out_name, halves, bound.input(0), "self");
    }
    // Both outputs are written by one kernel, in no order.
    check_disjoint(bound.output(0), "out", bound.output(1), "outGelu");
    StridedCall run = fixed;
    run.operands = {{&gate, Access::kRead},
                    {&linear, Access::kRead},
                    {&bound.output(1), Access::kWrite},
                    {&bound.output(0), Access::kWrite}};
    return strided_kernels(run);
  };
  return std::make_shared<Executor>(name, Executor::Operands{{self.get()}, {out.get(), gelu.get()}}, std::move(build));
}

namespace {

/// The gradient of the activated half. The shader variant has a row mask as operand 0; the placeholder has stride 0.
Kernels gate_gradient(const StridedCall& fixed, const Halves& halves, const Tensor& gradient, const Tensor& self,
                      const Tensor& out) {
  const Tensor gate = halves.gate(self);
  const Tensor linear = halves.linear(self);
  const Shape none(gate.shape.size(), 0);
  StridedCall run = fixed;
  set_gradient(run, GradientOf::kGate);
  const Tensor filler = row_major({1}, gradient.dtype, gradient.address());
  run.operands = {{&filler, Access::kRead, false, &none},
                  {&gradient, Access::kRead},
                  {&gate, Access::kRead},
                  {&linear, Access::kRead},
                  {&out, Access::kWrite}};
  return strided_kernels(run);
}

}  // namespace

std::shared_ptr<Executor> plan_ge_glu_gradient(const char* name, const GeGluAttributes& attributes,
                                               const InputArg& gradient_handle, const InputArg& self_handle,
                                               const InputArg& gelu_handle, const OutputArg& out_handle) {
  const TensorPtr gradient = required_tensor(gradient_handle);
  const TensorPtr self = required_tensor(self_handle);
  const TensorPtr gelu = required_tensor(gelu_handle);
  const TensorPtr out = required_tensor(out_handle);
  const GeGlu call = checked(name, attributes, *self, {{gradient.get(), "gradOutput"}, {gelu.get(), "gelu"}});
  check_same_dtype(*out, "gradInput", *self, "self");
  check_view(*out, "gradInput");
  check_shape(*out, "gradInput", self->shape, "self has shape");
  auto build = [fixed = unit_call(call.unit, self->dtype, "glu/backward_single"), halves = call.halves,
                name](const Executor::Operands& bound) {
    const Tensor& to = bound.output(0);
    check_distinct(to, "gradInput");
    check_disjoint(to, "gradInput", bound.input(0), "gradOutput");
    check_disjoint(to, "gradInput", bound.input(2), "gelu");
    check_overlap(to, "gradInput", bound.input(1), "self");
    Kernels kernels = gate_gradient(fixed, halves, bound.input(0), bound.input(1), halves.gate(to));
    // The forward pass has kept gelu(gate), which is the factor of the linear half.
    append(kernels, pointwise_kernels(name, row_of(BinaryOp::kMul), DType::kFloat, {&bound.input(0), &bound.input(2)},
                                      halves.linear(to)));
    return kernels;
  };
  return std::make_shared<Executor>(name, Executor::Operands{{gradient.get(), self.get(), gelu.get()}, {out.get()}},
                                    std::move(build));
}

}  // namespace aclvk::ops
