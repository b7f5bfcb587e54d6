#include "base/error.hpp"
#include "ops/elementwise/copy.hpp"
#include "ops/norm/norm.hpp"
#include "ops/norm/norm_checks.hpp"
#include "ops/staged_executor.hpp"
#include "runtime/device/execution.hpp"

namespace aclvk::ops {
namespace {

/// The number of dims that are not normalised: gamma has the shape of the others.
std::size_t leading_dims(const Tensor& x, const char* x_name, const Tensor& gamma) {
  const std::size_t rank = x.shape.size();
  const std::size_t normalized = gamma.shape.size();
  check(normalized >= 1 && normalized <= rank, Code::kNnInvalid, "gamma has shape {}; {} has shape {}.", gamma.shape,
        x_name, x.shape);
  check_shape(gamma, "gamma", {x.shape.begin() + (rank - normalized), x.shape.end()}, "the last dims of x are");
  return rank - normalized;
}

}  // namespace

std::shared_ptr<Executor> plan_rms_norm(const char* name, bool one_plus_gamma, const void* x_handle,
                                        const void* gamma_handle, double epsilon, const void* y_out,
                                        const void* rstd_out) {
  const TensorPtr x = required_tensor(x_handle, "x");
  const TensorPtr gamma = required_tensor(gamma_handle, "gamma");
  const TensorPtr y = required_tensor(y_out, "yOut");
  const TensorPtr rstd = required_tensor(rstd_out, "rstdOut");
  check_norm_tensors({{x, "x"}, {gamma, "gamma"}, {y, "yOut"}, {rstd, "rstdOut"}});
  const std::size_t lead = leading_dims(*x, "x", *gamma);
  check_shape(*y, "yOut", x->shape, "x has shape");
  check_row_values(rstd, "rstdOut", x->shape, lead);
  const NormCall call{name, one_plus_gamma ? kOnePlusGamma : 0U, epsilon, 1, runtime::threads_take_turns()};
  Executor::Operands operands{{x.get(), gamma.get()}, {y.get(), rstd.get()}};
  return staged_executor(name, std::move(operands), [=](const Executor::Operands& now, Staging& staging) {
    check_norm_memory({{&now.input(0), "x"}, {&now.input(1), "gamma"}},
                      {{&now.output(0), "yOut"}, {&now.output(1), "rstdOut"}});
    NormTensors tensors;
    tensors.x = &now.input(0);
    tensors.gamma = &now.input(1);
    tensors.y = &now.output(0);
    tensors.scale = &now.output(1);
    return trailing_norm_kernels(call, tensors, lead, staging);
  });
}

std::shared_ptr<Executor> plan_add_rms_norm(const char* name, const AddRmsNormHandles& handles, double epsilon) {
  const TensorPtr x1 = required_tensor(handles.x1, handles.x1_name);
  const TensorPtr x2 = required_tensor(handles.x2, handles.x2_name);
  const TensorPtr gamma = required_tensor(handles.gamma, "gamma");
  const TensorPtr cast = handles.has_cast ? required_tensor(handles.cast_out, "y1Out") : nullptr;
  const TensorPtr y = required_tensor(handles.y_out, handles.y_name);
  const TensorPtr rstd = required_tensor(handles.rstd_out, "rstdOut");
  const TensorPtr sum = required_tensor(handles.x_out, handles.x_name);
  check_norm_tensors({{x1, handles.x1_name},
                      {x2, handles.x2_name},
                      {gamma, "gamma"},
                      {cast, "y1Out"},
                      {y, handles.y_name},
                      {rstd, "rstdOut"},
                      {sum, handles.x_name}});
  if (cast) check_dtype(*cast, "y1Out", {DType::kFloat});
  check(x1->dtype == x2->dtype, Code::kNnInvalid, "{} has dtype {} and {} has dtype {}; they must be the same.",
        handles.x1_name, x1->dtype, handles.x2_name, x2->dtype);
  check_shape(*x2, handles.x2_name, x1->shape, "x1 has shape");
  const std::size_t lead = leading_dims(*x1, handles.x1_name, *gamma);
  if (cast) check_shape(*cast, "y1Out", x1->shape, "x1 has shape");
  check_shape(*y, handles.y_name, x1->shape, "x1 has shape");
  check_row_values(rstd, "rstdOut", x1->shape, lead);
  check_shape(*sum, handles.x_name, x1->shape, "x1 has shape");
  // float16 is rounded after each step, as programs on the NPU see it; bfloat16 is summed up in float.
  const std::uint32_t parts = x1->dtype == DType::kFloat16 ? kRoundSum | kRoundNorm : 0U;
  const NormCall call{name, parts, epsilon, 1, runtime::threads_take_turns()};
  Executor::Operands operands{{x1.get(), x2.get(), gamma.get()}, {}};
  if (cast) add_slot(operands.outputs, cast);
  for (const TensorPtr& output : {y, rstd, sum}) add_slot(operands.outputs, output);
  const auto names = handles;
  return staged_executor(name, std::move(operands), [=](const Executor::Operands& now, Staging& staging) {
    const std::size_t first = now.outputs.size() - 3;
    const NamedTensor y_now{&now.output(first), names.y_name};
    const NamedTensor sum_now{&now.output(first + 2), names.x_name};
    const NamedTensor cast_now{first > 0 ? &now.output(0) : nullptr, "y1Out"};
    check_norm_memory({{&now.input(0), names.x1_name}, {&now.input(1), names.x2_name}, {&now.input(2), "gamma"}},
                      {y_now, sum_now, cast_now, {&now.output(first + 1), "rstdOut"}});
    NormTensors tensors;
    tensors.x = &now.input(0);
    tensors.summand = &now.input(1);
    tensors.gamma = &now.input(2);
    tensors.y = y_now.tensor;
    tensors.scale = &now.output(first + 1);
    tensors.sum = sum_now.tensor;
    auto kernels = trailing_norm_kernels(call, tensors, lead, staging);
    if (cast_now.tensor) staging.finish_with(copy_kernels(name, *cast_now.tensor, *y_now.tensor));
    return kernels;
  });
}

}  // namespace aclvk::ops
