#include "ops/elementwise/complex.hpp"

#include <utility>

#include "base/error.hpp"
#include "ops/handles.hpp"
#include "ops/operator.hpp"
#include "ops/operator_dtypes.hpp"
#include "ops/promotion.hpp"
#include "ops/strided.hpp"

namespace aclvk::ops {
namespace {

constexpr ClassShaders kShaders = ACLVK_CLASS_SHADERS("elementwise/complex");

DType complex_of(DType part) {
  if (part == DType::kFloat16) return DType::kComplex32;
  return part == DType::kDouble ? DType::kComplex128 : DType::kComplex64;
}

/// The dtype of the complex number.
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

}  // namespace

std::shared_ptr<Executor> plan_complex(const char* name, ComplexOp op, const ComplexArgument& first,
                                       const ComplexArgument& second, const ComplexArgument& out) {
  const TensorPtr x = required_tensor(first.handle, first.name);
  const TensorPtr y = required_tensor(second.handle, second.name);
  const TensorPtr z = required_tensor(out.handle, out.name);
  const DType computed = check_dtypes(name, *x, *y, *z, {first.name, second.name, out.name});
  check_view(*x, first.name);
  check_view(*y, second.name);
  check_view(*z, out.name);
  check_shape(*z, out.name, check_broadcast(*x, first.name, *y, second.name), "the operands broadcast to");

  StridedCall fixed;
  fixed.name = name;
  fixed.shader = kShaders[static_cast<std::size_t>(class_for(computed, {x->dtype, y->dtype, z->dtype}))];
  fixed.constants = {static_cast<std::uint32_t>(computed), static_cast<std::uint32_t>(op)};
  auto build = [fixed, first, second, out](const Executor::Operands& now) {
    using runtime::Access;
    check_distinct(now.output(0), out.name);
    check_overlap(now.output(0), out.name, now.input(0), first.name);
    check_overlap(now.output(0), out.name, now.input(1), second.name);
    StridedCall run = fixed;
    run.operands = {{&now.input(0), Access::kRead, false},
                    {&now.input(1), Access::kRead, false},
                    {&now.output(0), Access::kWrite, false}};
    return strided_kernels(run);
  };
  return std::make_shared<Executor>(name, Executor::Operands{{x.get(), y.get()}, {z.get()}}, std::move(build));
}

}  // namespace aclvk::ops
