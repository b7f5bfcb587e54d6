#include "ops/reduction/moments.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "ops/args/reduction.hpp"
#include "ops/executor/handles.hpp"
#include "ops/reduction/reduce.hpp"
#include "ops/reduction/reduction.hpp"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {
namespace {

constexpr DTypeSet kFloats = {DType::kFloat, DType::kFloat16, DType::kBfloat16};
constexpr DTypeSet kSummable = {DType::kFloat, DType::kFloat16, DType::kBfloat16, DType::kInt32, DType::kInt64,
                                DType::kInt16, DType::kInt8,    DType::kUint8,    DType::kBool};
constexpr DTypeSet kTraceable = {DType::kFloat,     DType::kFloat16,    DType::kBfloat16, DType::kDouble,
                                 DType::kComplex64, DType::kComplex128, DType::kInt32,    DType::kInt64,
                                 DType::kInt16,     DType::kInt8,       DType::kUint8,    DType::kBool};

}  // namespace

std::shared_ptr<Executor> plan_spread(const char* name, Spread spread, const SpreadHandles& handles) {
  const TensorPtr self = required_tensor(handles.self);
  const auto dims = required(int_array_handles(), handles.dims);
  const TensorPtr out = required_tensor(handles.out);
  const TensorPtr mean = handles.has_mean ? required_tensor(handles.mean) : nullptr;
  check_dtype(*self, "self", kFloats);
  check_dtype(*out, handles.out.name, kFloats);
  if (mean) check_dtype(*mean, "meanOut", kFloats);
  check_view(*self, "self");
  check_view(*out, handles.out.name);
  if (mean) check_view(*mean, "meanOut");
  Reduction reduction;
  reduction.name = name;
  reduction.shader = "reduction/moments_f32";
  reduction.promoted = self->dtype;
  reduction.operation = static_cast<std::uint32_t>(spread);
  reduction.dims = mask_of(*self, *dims, "dim");
  reduction.execution = runtime::execution();
  check_reduced_shape(*out, handles.out.name, *self, reduction.dims, handles.keep);
  if (mean) check_reduced_shape(*mean, "meanOut", *self, reduction.dims, handles.keep);
  reduction.argument = scalar_words(Scalar(&handles.correction, DType::kInt64), ComputeClass::kF32);
  return reduction_executor(reduction, *self, {out.get(), mean.get()}, {handles.out.name, "meanOut"});
}

/// aclnnLogSumExp.
std::shared_ptr<Executor> plan(const LogSumExpArgs& args) {
  const bool keep = args.keepDim;
  const TensorPtr input = required_tensor(args.self);
  const auto list = required(int_array_handles(), args.dim);
  const TensorPtr output = required_tensor(args.out);
  check_dtype(*input, "self", kSummable);
  check_dtype(*output, "out", kFloats);
  check_view(*input, "self");
  check_view(*output, "out");
  Reduction reduction;
  reduction.name = "aclnnLogSumExp";
  reduction.promoted = kind_of(input->dtype) == Kind::kFloating ? input->dtype : DType::kFloat;
  const ComputeClass compute = class_for(reduction.promoted, {input->dtype, output->dtype});
  reduction.shader = compute == ComputeClass::kF64 ? "reduction/log_sum_exp_f64" : "reduction/log_sum_exp_f32";
  reduction.dims = mask_of(*input, *list, "dim");
  reduction.execution = runtime::execution();
  check_reduced_shape(*output, "out", *input, reduction.dims, keep);
  return reduction_executor(reduction, *input, {output.get()}, {"out"});
}

/// aclnnTrace: the sum of a matrix' diagonal.
std::shared_ptr<Executor> plan(const TraceArgs& args) {
  const TensorPtr input = required_tensor(args.self);
  const TensorPtr output = required_tensor(args.out);
  check_dtype(*input, "self", kTraceable);
  check_dtype(*output, "out", kTraceable);
  // As in torch.sum, integers are summed in INT64.
  const DType promoted = kind_of(input->dtype) <= Kind::kInteger ? DType::kInt64 : input->dtype;
  check_castable(promoted, output->dtype, "the result", "out");
  check(input->shape.size() == 2, Code::kNnInvalid, "self has shape {}; a matrix is expected.", input->shape);
  check_view(*input, "self");
  check_view(*output, "out");
  check_shape(*output, "out", output->elements() == 1 ? output->shape : Shape{}, "a trace has shape");
  // The diagonal is a view whose stride is the sum of both strides, so a trace is an ordinary sum.
  auto diagonal_of = [](const Tensor& tensor) {
    Tensor diagonal = tensor;
    diagonal.shape = {std::min(tensor.shape[0], tensor.shape[1])};
    diagonal.strides = {tensor.strides[0] + tensor.strides[1]};
    return diagonal;
  };
  const Tensor diagonal = diagonal_of(*input);
  Reduction reduction = reduction_of("aclnnTrace", ReduceKind::kSum, diagonal, promoted, *output);
  reduction.dims = 1;
  auto build = [reduction, diagonal_of](const Executor::Operands& bound) {
    check_overlap(bound.output(0), "out", bound.input(0), "self");
    return reduction_kernels(reduction, diagonal_of(bound.input(0)), {&bound.output(0)}, bound.workspace);
  };
  return std::make_shared<Executor>("aclnnTrace", Executor::Operands{{input.get()}, {output.get()}}, std::move(build),
                                    reduction_workspace(reduction, diagonal, 1));
}

}  // namespace aclvk::ops
