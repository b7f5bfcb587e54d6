#include <iterator>

#include "base/error.hpp"
#include "ops/elementwise/copy.hpp"
#include "ops/handles.hpp"
#include "ops/norm/norm.hpp"
#include "ops/norm/norm_checks.hpp"
#include "ops/staged_executor.hpp"
#include "ops/strided.hpp"
#include "runtime/device/execution.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;
using runtime::Kernel;

/// The number of dims that are not normalised.
std::size_t leading_dims(const Tensor& input, const Shape& normalized) {
  const std::size_t rank = input.shape.size();
  check(!normalized.empty() && normalized.size() <= rank, Code::kNnInvalid,
        "normalizedShape is {}; input has shape {}.", normalized, input.shape);
  const std::size_t lead = rank - normalized.size();
  const Shape trailing(input.shape.begin() + lead, input.shape.end());
  check(trailing == normalized, Code::kNnInvalid, "normalizedShape is {}; the last dims of input are {}.", normalized,
        trailing);
  return lead;
}

}  // namespace

std::shared_ptr<Executor> plan_layer_norm(const char* name, const void* input, const void* normalized_shape,
                                          const void* weight, const void* bias, double epsilon, const void* out,
                                          const void* mean_out, const void* rstd_out) {
  const TensorPtr x = required_tensor(input, "input");
  const auto shape = required(int_array_handles(), normalized_shape, "normalizedShape");
  const TensorPtr gamma = optional_tensor(weight, "weightOptional");
  const TensorPtr beta = optional_tensor(bias, "biasOptional");
  const TensorPtr y = required_tensor(out, "out");
  const TensorPtr mean = optional_tensor(mean_out, "meanOutOptional");
  const TensorPtr rstd = optional_tensor(rstd_out, "rstdOutOptional");
  check_norm_tensors({{x, "input"},
                      {gamma, "weightOptional"},
                      {beta, "biasOptional"},
                      {y, "out"},
                      {mean, "meanOutOptional"},
                      {rstd, "rstdOutOptional"}});
  check(shape->size() <= kMaxRank, Code::kNnInvalid, "normalizedShape has {} dims; at most {} are supported.",
        shape->size(), kMaxRank);
  const Shape normalized(shape->data(), shape->data() + shape->size());
  const std::size_t lead = leading_dims(*x, normalized);
  if (gamma) check_shape(*gamma, "weightOptional", normalized, "normalizedShape is");
  if (beta) check_shape(*beta, "biasOptional", normalized, "normalizedShape is");
  check_shape(*y, "out", x->shape, "input has shape");
  check_row_values(mean, "meanOutOptional", x->shape, lead);
  check_row_values(rstd, "rstdOutOptional", x->shape, lead);
  Executor::Operands operands{{x.get()}, {y.get()}};
  add_slot(operands.inputs, gamma);
  add_slot(operands.inputs, beta);
  add_slot(operands.outputs, mean);
  add_slot(operands.outputs, rstd);
  const NormCall call{name, kCentered, epsilon, 1, runtime::threads_take_turns()};
  return staged_executor(name, std::move(operands), [=](const Executor::Operands& now, Staging& staging) {
    NormTensors tensors;
    tensors.x = &now.input(0);
    tensors.gamma = tensor_in(now.inputs, 1);
    tensors.beta = tensor_in(now.inputs, 2);
    tensors.y = &now.output(0);
    tensors.mean = tensor_in(now.outputs, 1);
    tensors.scale = tensor_in(now.outputs, 2);
    check_norm_memory({{tensors.x, "input"}, {tensors.gamma, "weightOptional"}, {tensors.beta, "biasOptional"}},
                      {{tensors.y, "out"}, {tensors.mean, "meanOutOptional"}, {tensors.scale, "rstdOutOptional"}});
    return trailing_norm_kernels(call, tensors, lead, staging);
  });
}

namespace {

/// factor * x + y + z; z may be null.
std::vector<Kernel> sum_kernels(const char* name, float factor, const Tensor& x, const Tensor& y, const Tensor* z,
                                const Tensor& sum) {
  StridedCall call;
  call.name = name;
  call.shader = "norm/add_f32";
  call.constants = {static_cast<std::uint32_t>(DType::kFloat)};
  const double wide = factor;
  const Scalar scalar(&wide, DType::kDouble);
  call.arguments = {scalar_words(scalar, ComputeClass::kF32)[0], 0};
  call.operands = {{&x, Access::kRead, false},
                   {&y, Access::kRead, false},
                   {z ? z : &x, Access::kRead, z == nullptr},
                   {&sum, Access::kWrite, false}};
  return strided_kernels(call);
}

void check_last_dim(const Tensor& tensor, const char* name, const Tensor& x, const char* x_name) {
  check(!x.shape.empty(), Code::kNnInvalid, "{} has shape (); it needs a dim that is normalised.", x_name);
  check_shape(tensor, name, {x.shape.back()}, "the last dim of x is");
}

}  // namespace

std::shared_ptr<Executor> plan_add_layer_norm(const AddLayerNormHandles& handles, double epsilon,
                                              bool additional_output) {
  const char* name = "aclnnAddLayerNorm";
  const TensorPtr x1 = required_tensor(handles.x1, "x1");
  const TensorPtr x2 = required_tensor(handles.x2, "x2");
  const TensorPtr gamma = required_tensor(handles.gamma, "gamma");
  const TensorPtr beta = required_tensor(handles.beta, "beta");
  const TensorPtr bias = optional_tensor(handles.bias, "biasOptional");
  const TensorPtr y = required_tensor(handles.y_out, "yOut");
  const TensorPtr mean = required_tensor(handles.mean_out, "meanOut");
  const TensorPtr rstd = required_tensor(handles.rstd_out, "rstdOut");
  const TensorPtr sum =
      additional_output ? required_tensor(handles.x_out, "xOut") : optional_tensor(handles.x_out, "xOut");
  check_norm_tensors({{x1, "x1"},
                      {x2, "x2"},
                      {gamma, "gamma"},
                      {beta, "beta"},
                      {bias, "biasOptional"},
                      {y, "yOut"},
                      {mean, "meanOut"},
                      {rstd, "rstdOut"},
                      {sum, "xOut"}});
  check_shape(*x2, "x2", x1->shape, "x1 has shape");
  check_last_dim(*gamma, "gamma", *x1, "x1");
  check_last_dim(*beta, "beta", *x1, "x1");
  if (bias && bias->shape != x1->shape) check_last_dim(*bias, "biasOptional", *x1, "x1");
  check_shape(*y, "yOut", x1->shape, "x1 has shape");
  const std::size_t lead = x1->shape.size() - 1;
  check_row_values(mean, "meanOut", x1->shape, lead);
  check_row_values(rstd, "rstdOut", x1->shape, lead);
  if (additional_output) check_shape(*sum, "xOut", x1->shape, "x1 has shape");
  Executor::Operands operands{{x1.get(), x2.get(), gamma.get(), beta.get()}, {y.get(), mean.get(), rstd.get()}};
  add_slot(operands.inputs, bias);
  add_slot(operands.outputs, sum);
  const NormCall call{name, kCentered, epsilon, 1, runtime::threads_take_turns()};
  return staged_executor(name, std::move(operands), [=](const Executor::Operands& now, Staging& staging) {
    const Tensor* more = tensor_in(now.inputs, 4);
    check_norm_memory({{&now.input(0), "x1"},
                       {&now.input(1), "x2"},
                       {&now.input(2), "gamma"},
                       {&now.input(3), "beta"},
                       {more, "biasOptional"}},
                      {{&now.output(0), "yOut"},
                       {&now.output(1), "meanOut"},
                       {&now.output(2), "rstdOut"},
                       {tensor_in(now.outputs, 3), "xOut"}});
    const Tensor added = staging.make(now.input(0).shape, DType::kFloat);
    auto kernels = sum_kernels(name, 1, now.input(0), now.input(1), more, added);
    if (additional_output) append(kernels, copy_kernels(name, now.output(3), added));
    NormTensors tensors;
    tensors.x = &added;
    tensors.gamma = &now.input(2);
    tensors.beta = &now.input(3);
    tensors.y = &now.output(0);
    tensors.mean = &now.output(1);
    tensors.scale = &now.output(2);
    append(kernels, trailing_norm_kernels(call, tensors, lead, staging));
    return kernels;
  });
}

std::shared_ptr<Executor> plan_deep_norm(const DeepNormHandles& handles, double alpha, double epsilon) {
  const char* name = "aclnnDeepNorm";
  const TensorPtr x = required_tensor(handles.x, "x");
  const TensorPtr gx = required_tensor(handles.gx, "gx");
  const TensorPtr beta = required_tensor(handles.beta, "beta");
  const TensorPtr gamma = required_tensor(handles.gamma, "gamma");
  const TensorPtr mean = required_tensor(handles.mean_out, "meanOut");
  const TensorPtr rstd = required_tensor(handles.rstd_out, "rstdOut");
  const TensorPtr y = required_tensor(handles.y_out, "yOut");
  check_norm_tensors(
      {{x, "x"}, {gx, "gx"}, {beta, "beta"}, {gamma, "gamma"}, {mean, "meanOut"}, {rstd, "rstdOut"}, {y, "yOut"}});
  check_shape(*gx, "gx", x->shape, "x has shape");
  const std::size_t lead = leading_dims(*x, gamma->shape);
  check_shape(*beta, "beta", gamma->shape, "gamma has shape");
  check_row_values(mean, "meanOut", x->shape, lead);
  check_row_values(rstd, "rstdOut", x->shape, lead);
  check_shape(*y, "yOut", x->shape, "x has shape");
  const NormCall call{name, kCentered, epsilon, 1, runtime::threads_take_turns()};
  Executor::Operands operands{{x.get(), gx.get(), beta.get(), gamma.get()}, {mean.get(), rstd.get(), y.get()}};
  return staged_executor(name, std::move(operands), [=](const Executor::Operands& now, Staging& staging) {
    check_norm_memory({{&now.input(0), "x"}, {&now.input(1), "gx"}, {&now.input(2), "beta"}, {&now.input(3), "gamma"}},
                      {{&now.output(0), "meanOut"}, {&now.output(1), "rstdOut"}, {&now.output(2), "yOut"}});
    const Tensor added = staging.make(now.input(0).shape, DType::kFloat);
    auto kernels = sum_kernels(name, static_cast<float>(alpha), now.input(0), now.input(1), nullptr, added);
    NormTensors tensors;
    tensors.x = &added;
    tensors.gamma = &now.input(3);
    tensors.beta = &now.input(2);
    tensors.y = &now.output(2);
    tensors.mean = &now.output(0);
    tensors.scale = &now.output(1);
    append(kernels, trailing_norm_kernels(call, tensors, lead, staging));
    return kernels;
  });
}

namespace {

/// scale and shift have the shape of x, or of x without the dim before the last, or with size 1 there.
Tensor along_x(const Tensor& tensor, const Shape& x) {
  Tensor same = tensor;
  if (same.shape.size() + 1 != x.size()) return same;
  same.shape.back() = 1;
  same.shape.push_back(tensor.shape.back());
  same.strides.back() = 0;
  same.strides.push_back(tensor.strides.back());
  return same;
}

void check_along_x(const Tensor& tensor, const char* name, const Shape& x) {
  const auto shape = broadcast(along_x(tensor, x).shape, x);
  check(shape && *shape == x && tensor.shape.back() == x.back(), Code::kNnInvalid,
        "{} has shape {}; x has shape {}, and expected is (batch, last dim) or (batch, 1, last dim).", name,
        tensor.shape, x);
}

}  // namespace

std::shared_ptr<Executor> plan_ada_layer_norm(const char* name, const AdaLayerNormHandles& handles, double epsilon) {
  const TensorPtr x = required_tensor(handles.x, "x");
  const TensorPtr scale = required_tensor(handles.scale, "scale");
  const TensorPtr shift = required_tensor(handles.shift, "shift");
  const TensorPtr gamma = optional_tensor(handles.weight, "weightOptional");
  const TensorPtr beta = optional_tensor(handles.bias, "biasOptional");
  const TensorPtr out = required_tensor(handles.out, "out");
  const TensorPtr mean = optional_tensor(handles.mean_out, "meanOutOptional");
  const TensorPtr rstd = optional_tensor(handles.rstd_out, "rstdOutOptional");
  check_norm_tensors({{x, "x"},
                      {scale, "scale"},
                      {shift, "shift"},
                      {gamma, "weightOptional"},
                      {beta, "biasOptional"},
                      {out, "out"},
                      {mean, "meanOutOptional"},
                      {rstd, "rstdOutOptional"}});
  check(x->shape.size() >= 2 && !scale->shape.empty() && !shift->shape.empty(), Code::kNnInvalid,
        "x has shape {}, scale {} and shift {}; x needs two dims and the others one.", x->shape, scale->shape,
        shift->shape);
  check_along_x(*scale, "scale", x->shape);
  check_along_x(*shift, "shift", x->shape);
  if (gamma) check_last_dim(*gamma, "weightOptional", *x, "x");
  if (beta) check_last_dim(*beta, "biasOptional", *x, "x");
  check_shape(*out, "out", x->shape, "x has shape");
  const std::size_t lead = x->shape.size() - 1;
  check_row_values(mean, "meanOutOptional", x->shape, lead);
  check_row_values(rstd, "rstdOutOptional", x->shape, lead);
  Executor::Operands operands{{x.get(), scale.get(), shift.get()}, {out.get()}};
  add_slot(operands.inputs, gamma);
  add_slot(operands.inputs, beta);
  add_slot(operands.outputs, mean);
  add_slot(operands.outputs, rstd);
  const NormCall call{name, kCentered, epsilon, 1, runtime::threads_take_turns()};
  return staged_executor(name, std::move(operands), [=](const Executor::Operands& now, Staging& staging) {
    const Tensor normalised = staging.make(now.input(0).shape, DType::kFloat);
    NormTensors tensors;
    tensors.x = &now.input(0);
    tensors.gamma = tensor_in(now.inputs, 3);
    tensors.beta = tensor_in(now.inputs, 4);
    tensors.y = &normalised;
    tensors.mean = tensor_in(now.outputs, 1);
    tensors.scale = tensor_in(now.outputs, 2);
    check_norm_memory({{tensors.x, "x"},
                       {&now.input(1), "scale"},
                       {&now.input(2), "shift"},
                       {tensors.gamma, "weightOptional"},
                       {tensors.beta, "biasOptional"}},
                      {{&now.output(0), "out"}, {tensors.mean, "meanOutOptional"}, {tensors.scale, "rstdOutOptional"}});
    auto kernels = trailing_norm_kernels(call, tensors, lead, staging);
    const Tensor factors = along_x(now.input(1), now.input(0).shape);
    const Tensor summands = along_x(now.input(2), now.input(0).shape);
    StridedCall modulate;
    modulate.name = name;
    modulate.shader = "norm/modulate_f32";
    modulate.constants = {static_cast<std::uint32_t>(DType::kFloat)};
    modulate.operands = {{&normalised, Access::kRead, false},
                         {&factors, Access::kRead, false},
                         {&summands, Access::kRead, false},
                         {&now.output(0), Access::kWrite, false}};
    append(kernels, strided_kernels(modulate));
    return kernels;
  });
}

}  // namespace aclvk::ops
