#include "base/error.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/norm/norm.hpp"
#include "ops/norm/norm_checks.hpp"
#include "ops/norm/norm_rows.hpp"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {

std::shared_ptr<Executor> plan_rms_norm(const char* name, const RmsNormHandles& handles, double epsilon,
                                        bool one_plus_gamma) {
  TensorParameters tensors;
  const auto x = tensors.input(handles.x);
  const auto gamma = tensors.input(handles.gamma);
  const auto y = tensors.output(handles.y_out);
  const auto rstd = tensors.output(handles.rstd_out);
  tensors.check_all(kNormDtypes);
  const std::size_t lead = leading_dims(tensors, x, tensors[gamma].shape, "the shape of gamma");
  tensors.check_shape(y, tensors[x].shape, "x has shape");
  check_row_values(tensors, rstd, tensors[x].shape, lead);
  const NormCall call{name, one_plus_gamma ? kOnePlusGamma : 0U, epsilon, 1, runtime::execution()};
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    NormTensors given;
    given.x = bound[x];
    given.gamma = bound[gamma];
    given.y = bound[y];
    given.scale = bound[rstd];
    return trailing_norm_kernels(call, given, lead, staging);
  });
}

std::shared_ptr<Executor> plan_add_rms_norm(const char* name, const AddRmsNormHandles& handles, double epsilon) {
  TensorParameters tensors;
  const auto x1 = tensors.input(handles.x1);
  const auto x2 = tensors.input(handles.x2);
  const auto gamma = tensors.input(handles.gamma);
  const bool casts = handles.has_cast;
  const auto cast = casts ? tensors.output(handles.cast_out) : TensorParameters::ParamId{};
  const auto y = tensors.output(handles.y_out);
  // An output that updates an input in place has the input's position in the signature.
  const bool in_place = is_one_parameter(handles.x2.name, handles.x_out.name);
  auto sum = in_place ? tensors.output(handles.x_out) : TensorParameters::ParamId::kNone;
  const auto rstd = tensors.output(handles.rstd_out);
  if (!in_place) sum = tensors.output(handles.x_out);
  tensors.check_all(kNormDtypes);
  if (casts) check_dtype(tensors[cast], "y1Out", {DType::kFloat});
  const DType dtype = tensors[x1].dtype;
  const Shape& shape = tensors[x1].shape;
  check(dtype == tensors[x2].dtype, Code::kNnInvalid, "{} has dtype {} and {} has dtype {}; they must be the same.",
        handles.x1.name, dtype, handles.x2.name, tensors[x2].dtype);
  tensors.check_shape(x2, shape, "x1 has shape");
  const std::size_t lead = leading_dims(tensors, x1, tensors[gamma].shape, "the shape of gamma");
  if (casts) tensors.check_shape(cast, shape, "x1 has shape");
  tensors.check_shape(y, shape, "x1 has shape");
  check_row_values(tensors, rstd, shape, lead);
  tensors.check_shape(sum, shape, "x1 has shape");
  // float16 is rounded after each step, as on the NPU; bfloat16 is computed in float.
  const std::uint32_t flags = dtype == DType::kFloat16 ? kRoundSum | kRoundNorm : 0U;
  const NormCall call{name, flags, epsilon, 1, runtime::execution()};
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    NormTensors given;
    given.x = bound[x1];
    // The sum is computed and normalised in one pass.
    given.addend = bound[x2];
    given.gamma = bound[gamma];
    given.y = bound[y];
    given.scale = bound[rstd];
    given.sum = bound[sum];
    Kernels kernels = trailing_norm_kernels(call, given, lead, staging);
    if (casts) staging.finish_with(copy_kernels(name, *bound[cast], *bound[y]));
    return kernels;
  });
}

}  // namespace aclvk::ops
