#include "ops/softmax/softmax_rows.hpp"

#include "ops/kernel/declare.hpp"
#include "softmax/softmax.args.h"

namespace aclvk::ops {
namespace {

CONSTANT_STRUCT(SoftmaxConstants, SOFTMAX_CONSTANTS);

}  // namespace

using runtime::Access;

RowCall softmax_call(const SoftmaxRows& rows, std::string_view shader, const Tensor& out) {
  RowCall call;
  call.name = rows.name;
  call.shader = shader;
  call.rows = out.shape;
  call.count = 1;
  SoftmaxConstants constants;
  constants.kOperator = static_cast<uint>(rows.kind);
  add_constants(call, constants);
  if (out.shape.empty()) return call;
  call.count = out.shape[rows.dim];
  call.rows.erase(call.rows.begin() + rows.dim);
  // Rows without elements have no results.
  if (call.count == 0) call.rows = {0};
  return call;
}

Kernels softmax_kernels(const SoftmaxRows& rows, const Tensor& self, const Tensor& out) {
  const bool wide = class_for(self.dtype, {out.dtype}) == ComputeClass::kF64;
  RowCall call = softmax_call(rows, wide ? "softmax/softmax_f64" : "softmax/softmax_f32", out);
  call.rows_in_registers = true;
  call.promoted = self.dtype;
  // The output is read, too: it holds exp(x - max) until the sum is known.
  call.operands = {operand_along(self, rows.dim, Access::kRead), operand_along(out, rows.dim, Access::kReadWrite)};
  return row_kernels(call, rows.execution);
}

Kernels softmax_gradient_kernels(const SoftmaxRows& rows, const Tensor& gradient, const Tensor& result,
                                 const Tensor& out) {
  const bool wide = class_for(gradient.dtype, {result.dtype, out.dtype}) == ComputeClass::kF64;
  RowCall call = softmax_call(rows, wide ? "softmax/softmax_backward_f64" : "softmax/softmax_backward_f32", out);
  call.promoted = wide ? DType::kDouble : DType::kFloat;
  call.operands = {operand_along(gradient, rows.dim, Access::kRead), operand_along(result, rows.dim, Access::kRead),
                   operand_along(out, rows.dim, Access::kWrite)};
  return row_kernels(call, rows.execution);
}

Kernels counted_softmax_gradient_kernels(const SoftmaxRows& rows, const Tensor& gradient, const Tensor& result,
                                         const Tensor& counts, const Tensor& out) {
  RowCall call = softmax_call(rows, "softmax/softmax_backward_counted", out);
  const RowOperand of_rows{
      counts.address(), size_of(counts.dtype), counts.dtype, counts.strides, 0, Access::kRead, true, 0};
  call.operands = {operand_along(gradient, rows.dim, Access::kRead), operand_along(result, rows.dim, Access::kRead),
                   of_rows, operand_along(out, rows.dim, Access::kWrite)};
  return row_kernels(call, rows.execution);
}

}  // namespace aclvk::ops
