#include "ops/reduction/norm.hpp"

#include <cmath>

#include "base/error.hpp"
#include "ops/handles.hpp"
#include "ops/reduction/fold.hpp"
#include "ops/strided.hpp"

namespace aclvk::ops {
namespace {

constexpr DTypeSet kFloats = {DType::kFloat, DType::kFloat16, DType::kBfloat16};

Fold norm_of(double exponent) {
  if (exponent == 0) return Fold::kNormZero;
  if (exponent == 1) return Fold::kNormOne;
  if (exponent == 2) return Fold::kNormTwo;
  if (std::isinf(exponent)) return exponent > 0 ? Fold::kNormMost : Fold::kNormLeast;
  return Fold::kNormPower;
}

Reduction norm_reduction(const char* name, const Scalar& exponent, const Tensor& self, DType promoted,
                         const Tensor& out) {
  Reduction reduction = fold_reduction(name, norm_of(exponent.to_double()), self, promoted, out);
  reduction.argument = scalar_words(exponent, ComputeClass::kF32);
  return reduction;
}

}  // namespace

std::shared_ptr<Executor> plan_norm(const char* name, const NormHandles& handles) {
  const TensorPtr self = required_tensor(handles.self, "self");
  const ScalarPtr exponent = required_scalar(handles.exponent, handles.exponent_name);
  const auto dims = required(int_array_handles(), handles.dims, handles.dims_name);
  const TensorPtr out = required_tensor(handles.out, "out");
  check_dtype(*self, "self", kFloats);
  check_dtype(*out, "out", kFloats);
  const DType promoted = handles.dtype ? static_cast<DType>(*handles.dtype) : self->dtype;
  check(kFloats.contains(promoted), Code::kNnInvalid, "dtype is {}; supported are {}.", promoted, kFloats);
  check(kind_of(exponent->dtype()) != Kind::kComplex, Code::kNnInvalid, "{} has dtype {}; a norm's exponent is real.",
        handles.exponent_name, exponent->dtype());
  check_view(*self, "self");
  check_view(*out, "out");
  Reduction reduction = norm_reduction(name, *exponent, *self, promoted, *out);
  reduction.dims = mask_of(*self, *dims, handles.dims_name);
  check_reduced_shape(*out, "out", *self, reduction.dims, handles.keep);
  if (exponent->to_double() < 0) check_not_empty(*self, "self", reduction.dims);
  return reduction_executor(reduction, *self, {out.get()}, {"out"});
}

Reduction norm_of_all(const char* name, const Scalar& exponent, const Tensor& self, const Tensor& out) {
  Reduction reduction = norm_reduction(name, exponent, self, self.dtype, out);
  reduction.dims = all_dims(self);
  return reduction;
}

std::shared_ptr<Executor> plan_renorm(const char* name, const void* self_handle, const char* self_name,
                                      const void* exponent_handle, std::int64_t dim, const void* max_norm_handle,
                                      const void* out_handle, const char* out_name) {
  const TensorPtr self = required_tensor(self_handle, self_name);
  const ScalarPtr exponent = required_scalar(exponent_handle, "p");
  const ScalarPtr max_norm = required_scalar(max_norm_handle, "maxNorm");
  const TensorPtr out = required_tensor(out_handle, out_name);
  check_dtype(*self, self_name, kFloats);
  check_dtype(*out, out_name, kFloats);
  check_view(*self, self_name);
  check_view(*out, out_name);
  check(self->shape.size() >= 2, Code::kNnInvalid, "{} has shape {}; slices need at least two dims.", self_name,
        self->shape);
  check_shape(*out, out_name, self->shape, "self has shape");
  const DimMask along = mask_of(*self, dim, "dim");
  check(exponent->to_double() > 0, Code::kNnInvalid, "p is {}; it must be greater than 0.", exponent->to_double());
  check(max_norm->to_double() >= 0, Code::kNnInvalid, "maxNorm is {}; it must not be negative.", max_norm->to_double());
  Tensor norms;  // in the workspace, in float
  norms.shape = reduced_shape(*self, all_dims(*self) & ~along, true);
  norms.strides = contiguous_strides(norms.shape);
  Reduction reduction = norm_reduction(name, *exponent, *self, self->dtype, norms);
  reduction.promoted = DType::kFloat;
  reduction.dims = all_dims(*self) & ~along;
  StridedCall scale;
  scale.name = name;
  scale.shader = "reduction/renorm_f32";
  scale.constants = {static_cast<std::uint32_t>(DType::kFloat)};
  scale.arguments = {scalar_words(*max_norm, ComputeClass::kF32)[0]};
  const std::uint64_t norm_bytes = (static_cast<std::uint64_t>(norms.elements()) * 4 + 63) / 64 * 64;
  auto build = [=](const Executor::Operands& now) {
    using runtime::Access;
    check_distinct(now.output(0), out_name);
    check_overlap(now.output(0), out_name, now.input(0), self_name);
    Tensor place = norms;
    place.data = now.workspace;
    auto kernels = reduction_kernels(reduction, now.input(0), {&place}, now.workspace + norm_bytes);
    StridedCall run = scale;
    run.operands = {
        {&now.input(0), Access::kRead, false}, {&place, Access::kRead, false}, {&now.output(0), Access::kWrite, false}};
    for (auto& kernel : strided_kernels(run)) kernels.push_back(std::move(kernel));
    return kernels;
  };
  const std::uint64_t bytes = self->empty() ? 0 : norm_bytes + reduction_workspace(reduction, *self, 1);
  return std::make_shared<Executor>(name, Executor::Operands{{self.get()}, {out.get()}}, std::move(build), bytes);
}

}  // namespace aclvk::ops
