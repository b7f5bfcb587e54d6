#include "ops/glu/glu.hpp"

#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "ops/args/glu.hpp"
#include "ops/executor/operator.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

/// Requires all operands to have one dtype, which the operator supports.
void check_dtypes(const GluUnit& unit, const Tensor& x, const char* name,
                  std::initializer_list<std::pair<const Tensor*, const char*>> others) {
  check_operand(x, name, unit_dtypes(unit.name));
  for (const auto& [tensor, other] : others) {
    check_same_dtype(*tensor, other, x, name);
    check_view(*tensor, other);
  }
}

void check_half_shape(const Tensor& tensor, const char* name, const Tensor& x, const Halves& halves) {
  check_shape(tensor, name, half_shape(x, halves), "a part of the operand has shape");
}

std::string_view forward_shader(DType dtype) { return dtype == DType::kDouble ? "glu/forward_f64" : "glu/forward_f32"; }

}  // namespace

std::shared_ptr<Executor> plan_glu(const GluUnit& unit, const InputArg& x, const OutputArg& out) {
  const TensorPtr input = required_tensor(x);
  const TensorPtr output = required_tensor(out);
  check_dtypes(unit, *input, x.name, {{output.get(), out.name}});
  const Halves halves = check_halves(unit, *input, x.name);
  check_half_shape(*output, out.name, *input, halves);
  auto build = [fixed = unit_call(unit, input->dtype, forward_shader(input->dtype)), halves, x_name = x.name,
                out_name = out.name](const Executor::Operands& bound) {
    const Tensor gate = halves.gate(bound.input(0));
    const Tensor linear = halves.linear(bound.input(0));
    check_distinct(bound.output(0), out_name);
    check_overlap(bound.output(0), out_name, halves, bound.input(0), x_name);
    StridedCall call = fixed;
    call.operands = {{&gate, Access::kRead}, {&linear, Access::kRead}, {&bound.output(0), Access::kWrite}};
    return strided_kernels(call);
  };
  return std::make_shared<Executor>(unit.name, Executor::Operands{{input.get()}, {output.get()}}, std::move(build));
}

/// aclnnGeluMul: splits the last dim.
std::shared_ptr<Executor> plan(const GeluMulArgs& args) {
  const char* approximate = args.approximateOptional.handle;
  required_tensor(args.input);
  required_tensor(args.out);
  const GluOp op = gelu_unit(approximate, "approximateOptional");
  return plan_glu({"aclnnGeluMul", op, -1, Half::kFirst}, args.input, args.out);
}

/// aclnnFatreluMul: the threshold is a tensor of one element.
std::shared_ptr<Executor> plan(const FatreluMulArgs& args) {
  const GluUnit unit{"aclnnFatreluMul", GluOp::kFatreluMul};
  const TensorPtr input = required_tensor(args.input);
  const TensorPtr limit = required_tensor(args.threshold);
  const TensorPtr output = required_tensor(args.out);
  check_dtypes(unit, *input, args.input.name, {{limit.get(), args.threshold.name}, {output.get(), args.out.name}});
  check(limit->elements() == 1, Code::kNnInvalid, "{} has shape {}; expected one element.", args.threshold.name,
        limit->shape);
  const Halves halves = check_halves(unit, *input, args.input.name);
  check_half_shape(*output, args.out.name, *input, halves);
  auto build = [fixed = unit_call(unit, input->dtype, "glu/forward_weighted"),
                halves](const Executor::Operands& bound) {
    const Tensor gate = halves.gate(bound.input(0));
    const Tensor linear = halves.linear(bound.input(0));
    check_distinct(bound.output(0), "out");
    check_overlap(bound.output(0), "out", halves, bound.input(0), "input");
    check_disjoint(bound.output(0), "out", bound.input(1), "threshold");
    // The threshold is a single element for all lanes.
    const Shape none(gate.shape.size(), 0);
    StridedCall call = fixed;
    call.operands = {{&bound.input(1), Access::kRead, false, &none},
                     {&gate, Access::kRead},
                     {&linear, Access::kRead},
                     {&bound.output(0), Access::kWrite}};
    return strided_kernels(call);
  };
  return std::make_shared<Executor>(unit.name, Executor::Operands{{input.get(), limit.get()}, {output.get()}},
                                    std::move(build));
}

std::shared_ptr<Executor> plan_glu_gradient(const GluUnit& unit, const InputArg& gradient, const InputArg& x,
                                            const OutputArg& out) {
  const TensorPtr given = required_tensor(gradient);
  const TensorPtr input = required_tensor(x);
  const TensorPtr output = required_tensor(out);
  check_dtypes(unit, *input, x.name, {{given.get(), gradient.name}, {output.get(), out.name}});
  const Halves halves = check_halves(unit, *input, x.name);
  check_half_shape(*given, gradient.name, *input, halves);
  check_shape(*output, out.name, input->shape, "the operand has shape");
  // One kernel writes the gradients of both halves, since each needs the activation and the linear half.
  const std::string_view shader = input->dtype == DType::kDouble ? "glu/backward_f64" : "glu/backward_f32";
  auto build = [fixed = unit_call(unit, input->dtype, shader), halves, gradient_name = gradient.name, x_name = x.name,
                out_name = out.name](const Executor::Operands& bound) {
    check_distinct(bound.output(0), out_name);
    check_disjoint(bound.output(0), out_name, bound.input(0), gradient_name);
    check_overlap(bound.output(0), out_name, bound.input(1), x_name);
    // Views of this run's addresses, which the call refers to.
    const Tensor halves_now[] = {halves.gate(bound.input(1)), halves.linear(bound.input(1)),
                                 halves.gate(bound.output(0)), halves.linear(bound.output(0))};
    StridedCall call = fixed;
    call.operands = {{&bound.input(0), Access::kRead},
                     {&halves_now[0], Access::kRead},
                     {&halves_now[1], Access::kRead},
                     {&halves_now[2], Access::kWrite},
                     {&halves_now[3], Access::kWrite}};
    return strided_kernels(call);
  };
  return std::make_shared<Executor>(unit.name, Executor::Operands{{given.get(), input.get()}, {output.get()}},
                                    std::move(build));
}

GluOp gelu_unit(std::int64_t approximate) {
  check(approximate == 0 || approximate == 1, Code::kNnInvalid, "approximate is {}; expected 0 (none) or 1 (tanh).",
        approximate);
  return approximate == 1 ? GluOp::kGeGluTanh : GluOp::kGeGlu;
}

GluOp gelu_unit(const char* approximate, const char* name) {
  const std::string_view kind = approximate ? approximate : "none";
  check(kind == "none" || kind == "tanh", Code::kNnInvalid, "{} is \"{}\"; expected \"none\" or \"tanh\".", name, kind);
  return kind == "tanh" ? GluOp::kGeGluTanh : GluOp::kGeGlu;
}

}  // namespace aclvk::ops
