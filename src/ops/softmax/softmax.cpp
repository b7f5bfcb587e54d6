#include "ops/softmax/softmax.hpp"

#include "base/error.hpp"
#include "ops/operator.hpp"
#include "ops/reduction/reduction.hpp"
#include "ops/rows.hpp"
#include "runtime/device/execution.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

constexpr DTypeSet kFloats = {DType::kFloat, DType::kFloat16, DType::kBfloat16, DType::kDouble};

/// The tensor as an operand whose rows lie along `dim`.
RowOperand operand_along(const Tensor& tensor, std::size_t dim, Access access) {
  RowOperand operand{tensor.address(), size_of(tensor.dtype), tensor.dtype, tensor.strides, 1, access, false, 0};
  if (tensor.shape.empty()) return operand;
  operand.step = tensor.strides[dim];
  operand.strides.erase(operand.strides.begin() + dim);
  return operand;
}

/// What stays the same when addresses are replaced.
RowCall call_along(const char* name, std::string_view shader, const Tensor& out, std::size_t dim, Softmax kind) {
  RowCall call;
  call.name = name;
  call.shader = shader;
  call.rows = out.shape;
  call.count = 1;
  call.promoted = out.dtype;
  call.constants = {static_cast<std::uint32_t>(kind)};
  if (out.shape.empty()) return call;
  call.count = out.shape[dim];
  call.rows.erase(call.rows.begin() + dim);
  if (call.count == 0) call.rows = {0};
  return call;
}

std::size_t place_of(const Tensor& tensor, std::int64_t dim) {
  const DimMask mask = mask_of(tensor, dim, "dim");
  std::size_t place = 0;
  while (mask >> place > 1) ++place;
  return place;
}

}  // namespace

std::shared_ptr<Executor> plan_softmax(const char* name, Softmax kind, const void* self, std::int64_t dim,
                                       const void* out) {
  const TensorPtr input = required_tensor(self, "self");
  const TensorPtr output = required_tensor(out, "out");
  check_dtype(*input, "self", kFloats);
  check_dtype(*output, "out", kFloats);
  check_view(*input, "self");
  check_view(*output, "out");
  check_shape(*output, "out", input->shape, "self has shape");
  const std::size_t place = place_of(*input, dim);
  const bool wide = class_for(input->dtype, {output->dtype}) == ComputeClass::kF64;
  RowCall fixed = call_along(name, wide ? "softmax/softmax_f64" : "softmax/softmax_f32", *output, place, kind);
  fixed.holds = true;
  fixed.promoted = input->dtype;
  const runtime::Execution execution = runtime::execution();
  return std::make_shared<Executor>(name, Executor::Operands{{input.get()}, {output.get()}},
                                    [=](const Executor::Operands& now) {
                                      check_distinct(now.output(0), "out");
                                      check_overlap(now.output(0), "out", now.input(0), "self");
                                      RowCall call = fixed;
                                      call.operands = {operand_along(now.input(0), place, Access::kRead),
                                                       operand_along(now.output(0), place, Access::kReadWrite)};
                                      return row_kernels(call, execution);
                                    });
}

std::shared_ptr<Executor> plan_softmax_backward(const char* name, Softmax kind, const void* gradient,
                                                const void* output, std::int64_t dim, const void* out) {
  const TensorPtr grad = required_tensor(gradient, "gradOutput");
  const TensorPtr result = required_tensor(output, "output");
  const TensorPtr target = required_tensor(out, "out");
  check_dtype(*grad, "gradOutput", kFloats);
  check_dtype(*result, "output", kFloats);
  check_dtype(*target, "out", kFloats);
  check_view(*grad, "gradOutput");
  check_view(*result, "output");
  check_view(*target, "out");
  check_shape(*result, "output", grad->shape, "gradOutput has shape");
  check_shape(*target, "out", grad->shape, "gradOutput has shape");
  const std::size_t place = place_of(*grad, dim);
  const bool wide = class_for(grad->dtype, {result->dtype, target->dtype}) == ComputeClass::kF64;
  RowCall fixed =
      call_along(name, wide ? "softmax/softmax_backward_f64" : "softmax/softmax_backward_f32", *target, place, kind);
  fixed.promoted = wide ? DType::kDouble : DType::kFloat;
  const runtime::Execution execution = runtime::execution();
  return std::make_shared<Executor>(name, Executor::Operands{{grad.get(), result.get()}, {target.get()}},
                                    [=](const Executor::Operands& now) {
                                      check_distinct(now.output(0), "out");
                                      check_overlap(now.output(0), "out", now.input(0), "gradOutput");
                                      check_overlap(now.output(0), "out", now.input(1), "output");
                                      RowCall call = fixed;
                                      call.operands = {operand_along(now.input(0), place, Access::kRead),
                                                       operand_along(now.input(1), place, Access::kRead),
                                                       operand_along(now.output(0), place, Access::kWrite)};
                                      return row_kernels(call, execution);
                                    });
}

}  // namespace aclvk::ops
