#include "ops/softmax/softmax_rows.hpp"

#include "ops/kernel/declare.hpp"
#include "softmax/softmax.args.h"

namespace aclvk::ops {
namespace {

CONSTANT_STRUCT(SoftmaxConstants, SOFTMAX_CONSTANTS);

}  // namespace

using runtime::Access;

RowCall softmax_call(std::string_view name, std::string_view shader, const Tensor& out, std::size_t dim, Softmax kind) {
  RowCall call;
  call.name = name;
  call.shader = shader;
  call.rows = out.shape;
  call.count = 1;
  SoftmaxConstants constants;
  constants.kOperator = static_cast<uint>(kind);
  add_constants(call, constants);
  if (out.shape.empty()) return call;
  call.count = out.shape[dim];
  call.rows.erase(call.rows.begin() + dim);
  // Rows without elements have no results.
  if (call.count == 0) call.rows = {0};
  return call;
}

Kernels softmax_kernels(std::string_view name, Softmax kind, const Tensor& self, std::size_t dim, const Tensor& out,
                        runtime::Execution execution) {
  const bool wide = class_for(self.dtype, {out.dtype}) == ComputeClass::kF64;
  RowCall call = softmax_call(name, wide ? "softmax/softmax_f64" : "softmax/softmax_f32", out, dim, kind);
  call.rows_in_registers = true;
  call.promoted = self.dtype;
  // The output is read, too: it holds exp(x - max) until the sum is known.
  call.operands = {operand_along(self, dim, Access::kRead), operand_along(out, dim, Access::kReadWrite)};
  return row_kernels(call, execution);
}

Kernels softmax_gradient_kernels(std::string_view name, Softmax kind, const Tensor& gradient, const Tensor& result,
                                 std::size_t dim, const Tensor& out, runtime::Execution execution) {
  const bool wide = class_for(gradient.dtype, {result.dtype, out.dtype}) == ComputeClass::kF64;
  RowCall call =
      softmax_call(name, wide ? "softmax/softmax_backward_f64" : "softmax/softmax_backward_f32", out, dim, kind);
  call.promoted = wide ? DType::kDouble : DType::kFloat;
  call.operands = {operand_along(gradient, dim, Access::kRead), operand_along(result, dim, Access::kRead),
                   operand_along(out, dim, Access::kWrite)};
  return row_kernels(call, execution);
}

Kernels softmax_gradient_kernels(std::string_view name, Softmax kind, const Tensor& gradient, const Tensor& result,
                                 const Tensor& counts, std::size_t dim, const Tensor& out,
                                 runtime::Execution execution) {
  RowCall call = softmax_call(name, "softmax/softmax_backward_counted", out, dim, kind);
  const RowOperand of_rows{
      counts.address(), size_of(counts.dtype), counts.dtype, counts.strides, 0, Access::kRead, true, 0};
  call.operands = {operand_along(gradient, dim, Access::kRead), operand_along(result, dim, Access::kRead), of_rows,
                   operand_along(out, dim, Access::kWrite)};
  return row_kernels(call, execution);
}

}  // namespace aclvk::ops
