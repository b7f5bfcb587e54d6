#include <string_view>

#include "base/error.hpp"
#include "ops/handles.hpp"
#include "ops/norm/norm.hpp"
#include "ops/norm/norm_checks.hpp"
#include "ops/staged_executor.hpp"
#include "runtime/device/execution.hpp"

namespace aclvk::ops {
namespace {

/// What the handles stand for, with their shapes checked.
struct GroupNormCall {
  TensorPtr x;
  TensorPtr gamma;
  TensorPtr beta;
  TensorPtr out;
  TensorPtr mean;
  TensorPtr rstd;
};

GroupNormCall read(const GroupNormHandles& handles) {
  GroupNormCall call;
  call.x = required_tensor(handles.x, handles.x_name);
  call.gamma = optional_tensor(handles.gamma, "gamma");
  call.beta = optional_tensor(handles.beta, "beta");
  call.out = required_tensor(handles.out, handles.out_name);
  call.mean = required_tensor(handles.mean_out, "meanOut");
  call.rstd = required_tensor(handles.rstd_out, "rstdOut");
  check_norm_tensors({{call.x, handles.x_name},
                      {call.gamma, "gamma"},
                      {call.beta, "beta"},
                      {call.out, handles.out_name},
                      {call.mean, "meanOut"},
                      {call.rstd, "rstdOut"}});
  return call;
}

void check_shapes(const GroupNormCall& call, const GroupNormHandles& handles, std::int64_t groups) {
  const Shape& shape = call.x->shape;
  check(shape.size() >= 2, Code::kNnInvalid, "{} has shape {}; it needs dims for the batch and for channels.",
        handles.x_name, shape);
  check(groups > 0 && shape[1] % groups == 0, Code::kNnInvalid, "{} has {} channels; they make no {} groups.",
        handles.x_name, shape[1], groups);
  if (call.gamma) check_shape(*call.gamma, "gamma", {shape[1]}, "an element for each channel is");
  if (call.beta) check_shape(*call.beta, "beta", {shape[1]}, "an element for each channel is");
  check_shape(*call.out, handles.out_name, shape, "the input has shape");
  check_shape(*call.mean, "meanOut", {shape[0], groups}, "batch and groups are");
  check_shape(*call.rstd, "rstdOut", {shape[0], groups}, "batch and groups are");
}

std::shared_ptr<Executor> plan(const char* name, const GroupNormCall& tensors, const GroupNormHandles& handles,
                               std::int64_t groups, std::uint32_t parts, double epsilon, double swish) {
  const NormCall call{name, parts, epsilon, swish, runtime::threads_take_turns()};
  Executor::Operands operands{{tensors.x.get()}, {tensors.out.get(), tensors.mean.get(), tensors.rstd.get()}};
  add_slot(operands.inputs, tensors.gamma);
  add_slot(operands.inputs, tensors.beta);
  const char* x_name = handles.x_name;
  const char* out_name = handles.out_name;
  return staged_executor(name, std::move(operands), [=](const Executor::Operands& now, Staging& staging) {
    NormTensors given;
    given.x = &now.input(0);
    given.gamma = tensor_in(now.inputs, 1);
    given.beta = tensor_in(now.inputs, 2);
    given.y = &now.output(0);
    given.mean = &now.output(1);
    given.scale = &now.output(2);
    check_norm_memory({{given.x, x_name}, {given.gamma, "gamma"}, {given.beta, "beta"}},
                      {{given.y, out_name}, {given.mean, "meanOut"}, {given.scale, "rstdOut"}});
    return group_norm_kernels(call, given, groups, staging);
  });
}

}  // namespace

std::shared_ptr<Executor> plan_group_norm(const char* name, const GroupNormHandles& handles, std::int64_t groups,
                                          double epsilon, bool swish, double swish_scale) {
  const GroupNormCall call = read(handles);
  check_shapes(call, handles, groups);
  return plan(name, call, handles, groups, swish ? kCentered | kSwish : kCentered, epsilon, swish_scale);
}

std::shared_ptr<Executor> plan_sized_group_norm(const GroupNormHandles& handles, std::int64_t n, std::int64_t c,
                                                std::int64_t hxw, std::int64_t groups, double epsilon) {
  const GroupNormCall call = read(handles);
  check_shapes(call, handles, groups);
  const Shape& shape = call.x->shape;
  const std::int64_t elements = element_count(shape);
  check(shape[0] == n && shape[1] == c && n * c * hxw == elements, Code::kNnInvalid,
        "N, C and HxW are {}, {} and {}; self has shape {}.", n, c, hxw, shape);
  return plan("aclnnGroupNorm", call, handles, groups, kCentered, epsilon, 1);
}

std::shared_ptr<Executor> plan_instance_norm(const void* x_handle, const void* gamma_handle, const void* beta_handle,
                                             const char* data_format, double epsilon, const void* y_handle,
                                             const void* mean_handle, const void* variance_handle) {
  const char* name = "aclnnInstanceNorm";
  const TensorPtr x = required_tensor(x_handle, "x");
  const TensorPtr gamma = required_tensor(gamma_handle, "gamma");
  const TensorPtr beta = required_tensor(beta_handle, "beta");
  require(data_format, "dataFormat");
  const TensorPtr y = required_tensor(y_handle, "y");
  const TensorPtr mean = required_tensor(mean_handle, "mean");
  const TensorPtr variance = required_tensor(variance_handle, "variance");
  check_norm_tensors({{x, "x"}, {gamma, "gamma"}, {beta, "beta"}, {y, "y"}, {mean, "mean"}, {variance, "variance"}});
  const std::string_view format = data_format;
  check(format == "NCHW" || format == "NHWC", Code::kNnInvalid, "dataFormat is {}; NCHW and NHWC exist.", format);
  check(x->shape.size() == 4, Code::kNnInvalid, "x has shape {}; an image has four dims.", x->shape);
  const bool last = format == "NHWC";
  const std::int64_t channels = x->shape[last ? 3 : 1];
  const Shape one = last ? Shape{x->shape[0], 1, 1, channels} : Shape{x->shape[0], channels, 1, 1};
  check_shape(*gamma, "gamma", {channels}, "an element for each channel is");
  check_shape(*beta, "beta", {channels}, "an element for each channel is");
  check_shape(*y, "y", x->shape, "x has shape");
  check_shape(*mean, "mean", one, "an element for each image and channel is");
  check_shape(*variance, "variance", one, "an element for each image and channel is");
  const NormCall call{name, kCentered | kVarianceOut, epsilon, 1, runtime::threads_take_turns()};
  Executor::Operands operands{{x.get(), gamma.get(), beta.get()}, {y.get(), mean.get(), variance.get()}};
  return staged_executor(name, std::move(operands), [=](const Executor::Operands& now, Staging& staging) {
    NormTensors tensors;
    tensors.x = &now.input(0);
    tensors.gamma = &now.input(1);
    tensors.beta = &now.input(2);
    tensors.y = &now.output(0);
    tensors.mean = &now.output(1);
    tensors.scale = &now.output(2);
    check_norm_memory({{tensors.x, "x"}, {tensors.gamma, "gamma"}, {tensors.beta, "beta"}},
                      {{tensors.y, "y"}, {tensors.mean, "mean"}, {tensors.scale, "variance"}});
    if (last) return channels_last_norm_kernels(call, tensors, staging);
    return group_norm_kernels(call, tensors, channels, staging);
  });
}

}  // namespace aclvk::ops
