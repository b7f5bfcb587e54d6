#include "ops/shape/triangle.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "ops/executor/operator.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "shape/triangle.args.h"

namespace aclvk::ops {
namespace {

ARGUMENT_STRUCT(TriangleArguments, TRIANGLE_ARGUMENTS);
CONSTANT_STRUCT(TriangleConstants, TRIANGLE_CONSTANTS);

}  // namespace

Kernels triangle_kernels(const char* name, Triangle triangle, const Tensor& self, std::int64_t diagonal,
                         const Tensor& out) {
  constexpr std::int64_t kMax = std::int64_t{1}
                                << 30;  // larger than any diagonal of a matrix with 32-bit element indices
  const std::size_t rank = self.shape.size();
  // The element's linear index gives its row and column, whatever the strides of out.
  const Shape numbers = contiguous_strides(out.shape);
  StridedCall call;
  call.name = name;
  call.shader = "shape/triangle_bits";
  call.promoted = self.dtype;
  TriangleConstants constants;
  constants.kUpper = static_cast<uint>(triangle);
  add_constants(call, constants);
  TriangleArguments arguments;
  arguments.rows = word(self.shape[rank - 2]);
  arguments.columns = word(self.shape[rank - 1]);
  arguments.diagonal = static_cast<int>(std::clamp(diagonal, -kMax, kMax));
  add_arguments(call, arguments);
  call.operands = {{&out, runtime::Access::kRead, true, &numbers},
                   {&self, runtime::Access::kRead, false},
                   {&out, runtime::Access::kWrite, false}};
  return strided_kernels(call);
}

namespace {

constexpr DTypeSet kMatrices = kCommon.with(kDoubles).with(kWideUnsigned).with({DType::kComplex32, DType::kComplex64});

std::shared_ptr<Executor> plan(const char* name, Triangle triangle, const Tensor& self, const char* self_name,
                               const Tensor& out, const char* out_name, std::int64_t diagonal) {
  check_dtype(self, self_name, kMatrices);
  check_dtype(out, out_name, kMatrices);
  check_same_dtype(out, out_name, self, self_name);
  check_view(self, self_name);
  check_view(out, out_name);
  check(self.shape.size() >= 2, Code::kNnInvalid, "{} has {} dimensions; expected 2 to {}.", self_name,
        self.shape.size(), kMaxRank);
  check_shape(out, out_name, self.shape, "self has shape");
  auto build = [=](const Executor::Operands& bound) {
    check_distinct(bound.output(0), out_name);
    check_overlap(bound.output(0), out_name, bound.input(0), self_name);
    return triangle_kernels(name, triangle, bound.input(0), diagonal, bound.output(0));
  };
  return std::make_shared<Executor>(name, operands_between(self, self_name, out, out_name), std::move(build));
}

}  // namespace

std::shared_ptr<Executor> plan_triangle(const char* name, Triangle triangle, const InputArg& self,
                                        std::int64_t diagonal, const OutputArg& out) {
  const TensorPtr input = required_tensor(self);
  const TensorPtr output = required_tensor(out);
  return plan(name, triangle, *input, "self", *output, "out", diagonal);
}

std::shared_ptr<Executor> plan_inplace_triangle(const char* name, Triangle triangle, const UpdatedArg& self,
                                                std::int64_t diagonal) {
  const TensorPtr both = required_tensor(self);
  return plan(name, triangle, *both, "selfRef", *both, "selfRef", diagonal);
}

}  // namespace aclvk::ops
