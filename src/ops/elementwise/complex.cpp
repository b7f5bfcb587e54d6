#include "base/error.hpp"
#include "elementwise/complex.args.h"
#include "ops/args/elementwise.hpp"
#include "ops/executor/handles.hpp"
#include "ops/executor/operator.hpp"
#include "ops/executor/operator_dtypes.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/tensor/promotion.hpp"

namespace aclvk::ops {
namespace {

CONSTANT_STRUCT(ComplexConstants, COMPLEX_CONSTANTS);

/// The rows of complex.def, numbered by position, as in the shader.
enum class ComplexOp : std::uint32_t {
#define COMPLEX(name, value) k##name,
#include "ops/elementwise/complex.def"
#undef COMPLEX
};

constexpr ClassShaders kShaders = ACLVK_CLASS_SHADERS("elementwise/complex");

/// Returns the dtype of the complex result.
DType check_dtypes(const char* name, const Tensor& first, const Tensor& second, const Tensor& out,
                   const char* const (&names)[3]) {
  const OperatorDtypes& dtypes = dtypes_of(name);
  check_dtype(first, names[0], dtypes.inputs);
  check_dtype(second, names[1], dtypes.inputs);
  check_dtype(out, names[2], dtypes.outputs);
  check(first.dtype == second.dtype, Code::kNnInvalid, "{} has dtype {} and {} has dtype {}; they have the same.",
        names[0], first.dtype, names[1], second.dtype);
  const DType computed = complex_of(first.dtype);
  check_castable(computed, out.dtype, "the result", names[2]);
  return computed;
}

/// Returns the operand, or a copy when it shares memory with the result: elements of the result are wider, so writing
/// one would overwrite operands of others.
Tensor copied_if_overlapping(const Tensor& out, const Tensor& operand, Staging& staging, Kernels& before) {
  return share_elements(out, operand) ? staging.copy(operand, before) : operand;
}

std::shared_ptr<Executor> plan_complex(const char* name, ComplexOp op, const InputArg& first, const InputArg& second,
                                       const OutputArg& out) {
  const TensorPtr x = required_tensor(first);
  const TensorPtr y = required_tensor(second);
  const TensorPtr z = required_tensor(out);
  const DType computed = check_dtypes(name, *x, *y, *z, {first.name, second.name, out.name});
  check_view(*x, first.name);
  check_view(*y, second.name);
  check_view(*z, out.name);
  check_shape(*z, out.name, check_broadcast(*x, first.name, *y, second.name), "the operands broadcast to");

  StridedCall fixed;
  fixed.name = name;
  fixed.shader = kShaders[static_cast<std::size_t>(class_for(computed, {x->dtype, y->dtype, z->dtype}))];
  fixed.promoted = computed;
  ComplexConstants constants;
  constants.kOperator = static_cast<uint>(op);
  add_constants(fixed, constants);
  const auto make = [fixed, out_name = out.name](const Executor::Operands& bound, Staging& staging) {
    using runtime::Access;
    check_distinct(bound.output(0), out_name);
    Kernels kernels;
    const Tensor real = copied_if_overlapping(bound.output(0), bound.input(0), staging, kernels);
    const Tensor imaginary = copied_if_overlapping(bound.output(0), bound.input(1), staging, kernels);
    StridedCall run = fixed;
    run.operands = {
        {&real, Access::kRead, false}, {&imaginary, Access::kRead, false}, {&bound.output(0), Access::kWrite, false}};
    append(kernels, strided_kernels(run));
    return kernels;
  };
  return staged_executor(name, Executor::Operands{{x.get(), y.get()}, {z.get()}}, make);
}

}  // namespace

std::shared_ptr<Executor> plan(const ComplexArgs& args) {
  return plan_complex(args.kOperator, ComplexOp::kComplex, args.real, args.imag, args.out);
}
std::shared_ptr<Executor> plan(const PolarArgs& args) {
  return plan_complex(args.kOperator, ComplexOp::kPolar, args.input, args.angle, args.out);
}

}  // namespace aclvk::ops
