#include "base/error.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/norm/norm.hpp"
#include "ops/norm/norm_checks.hpp"
#include "ops/norm/norm_rows.hpp"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

/// Returns a view that broadcasts to x. scale and shift may have the shape of x, size 1 in the dim before the last, or
/// lack that dim.
Tensor along_x(const Tensor& tensor, const Shape& x) {
  Tensor same = tensor;
  if (same.shape.size() + 1 != x.size()) return same;
  // A (batch, last dim) tensor gains a broadcast dim before its last one.
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

/// Statistics are written before scale and shift are read, so they must not share memory.
void check_statistic(const Tensor* statistic, const char* name, const Tensor& scale, const Tensor& shift) {
  if (!statistic) return;
  check_disjoint(*statistic, name, scale, "scale");
  check_disjoint(*statistic, name, shift, "shift");
}

/// x * (1 + scale) + shift
Kernels modulate_kernels(const char* name, const Tensor& x, const Tensor& scale, const Tensor& shift,
                         const Tensor& out) {
  const Tensor factors = along_x(scale, x.shape);
  const Tensor addends = along_x(shift, x.shape);
  StridedCall call;
  call.name = name;
  call.shader = "norm/modulate_f32";
  call.promoted = DType::kFloat;
  call.operands = {{&x, Access::kRead, false},
                   {&factors, Access::kRead, false},
                   {&addends, Access::kRead, false},
                   {&out, Access::kWrite, false}};
  return strided_kernels(call);
}

}  // namespace

std::shared_ptr<Executor> plan_ada_layer_norm(const char* name, const AdaLayerNormHandles& handles, double epsilon) {
  TensorParameters tensors;
  const auto x = tensors.input(handles.x);
  const auto scale = tensors.input(handles.scale);
  const auto shift = tensors.input(handles.shift);
  const auto gamma = tensors.optional_input(handles.weight);
  const auto beta = tensors.optional_input(handles.bias);
  const auto out = tensors.output(handles.out);
  const auto mean = tensors.optional_output(handles.mean_out);
  const auto rstd = tensors.optional_output(handles.rstd_out);
  tensors.check_all(kNormDtypes);
  const Shape& shape = tensors[x].shape;
  check(shape.size() >= 2 && !tensors[scale].shape.empty() && !tensors[shift].shape.empty(), Code::kNnInvalid,
        "x has shape {}, scale {} and shift {}; x needs two dims and the others one.", shape, tensors[scale].shape,
        tensors[shift].shape);
  check_along_x(tensors[scale], "scale", shape);
  check_along_x(tensors[shift], "shift", shape);
  check_last_dim(tensors, gamma, x);
  check_last_dim(tensors, beta, x);
  tensors.check_shape(out, shape, "x has shape");
  const std::size_t lead = shape.size() - 1;
  check_row_values(tensors, mean, shape, lead);
  check_row_values(tensors, rstd, shape, lead);
  const NormCall call{name, kCentered, epsilon, 1, runtime::execution()};
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    check_statistic(bound[mean], "meanOutOptional", *bound[scale], *bound[shift]);
    check_statistic(bound[rstd], "rstdOutOptional", *bound[scale], *bound[shift]);
    // The normalised values stay in float until the modulation, so they are rounded once.
    const Tensor normalised = staging.make(bound[x]->shape, DType::kFloat);
    NormTensors given = tensors_at({x, gamma, beta, out, mean, rstd}, bound);
    given.y = &normalised;
    Kernels kernels = trailing_norm_kernels(call, given, lead, staging);
    append(kernels, modulate_kernels(name, normalised, *bound[scale], *bound[shift], *bound[out]));
    return kernels;
  });
}

}  // namespace aclvk::ops
