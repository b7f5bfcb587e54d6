#include "ops/reduction/norm.hpp"

#include <cmath>

#include "base/error.hpp"
#include "ops/executor/handles.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/reduction/reduce.hpp"
#include "reduction/renorm.args.h"

namespace aclvk::ops {
namespace {

ARGUMENT_STRUCT(RenormArguments, RENORM_ARGUMENTS);

constexpr DTypeSet kFloats = {DType::kFloat, DType::kFloat16, DType::kBfloat16};

// Common exponents have rows that need no powers.
ReduceKind norm_of(double exponent) {
  if (exponent == 0) return ReduceKind::kNormZero;
  if (exponent == 1) return ReduceKind::kNormOne;
  if (exponent == 2) return ReduceKind::kNormTwo;
  if (std::isinf(exponent)) return exponent > 0 ? ReduceKind::kNormMax : ReduceKind::kNormMin;
  return ReduceKind::kNormPower;
}

Reduction norm_reduction(const char* name, const Scalar& exponent, const Tensor& self, DType promoted,
                         const Tensor& out) {
  Reduction reduction = reduction_of(name, norm_of(exponent.to_double()), self, promoted, out);
  reduction.argument = scalar_words(exponent, ComputeClass::kF32);
  return reduction;
}

}  // namespace

std::shared_ptr<Executor> plan_norm(const char* name, const NormHandles& handles) {
  const TensorPtr self = required_tensor(handles.self);
  const ScalarPtr exponent = required_scalar(handles.exponent);
  const auto dims = required(int_array_handles(), handles.dims);
  const TensorPtr out = required_tensor(handles.out);
  check_dtype(*self, "self", kFloats);
  check_dtype(*out, "out", kFloats);
  const DType promoted = handles.dtype ? static_cast<DType>(*handles.dtype) : self->dtype;
  check(kFloats.contains(promoted), Code::kNnInvalid, "dtype is {}; supported are {}.", promoted, kFloats);
  check(kind_of(exponent->dtype()) != Kind::kComplex, Code::kNnInvalid, "{} has dtype {}; a norm's exponent is real.",
        handles.exponent.name, exponent->dtype());
  check_view(*self, "self");
  check_view(*out, "out");
  Reduction reduction = norm_reduction(name, *exponent, *self, promoted, *out);
  reduction.dims = mask_of(*self, *dims, handles.dims.name);
  check_reduced_shape(*out, "out", *self, reduction.dims, handles.keep);
  // With a negative exponent the norm of no elements would be infinite.
  if (exponent->to_double() < 0) check_not_empty(*self, "self", reduction.dims);
  return reduction_executor(reduction, *self, {out.get()}, {"out"});
}

Kernels renorm_kernels(const char* name, const Renorm& call, const Tensor& self, const Tensor& out, Staging& staging) {
  using runtime::Access;
  // A slice has a fixed index along `dim`, so its norm is over all other dims.
  const DimMask others = all_dims(self) & ~call.along;
  // Two kernels: the norms of all slices in float, then a pointwise kernel that scales.
  const Tensor norms = staging.make(reduced_shape(self, others, true), DType::kFloat);
  Reduction reduction = norm_reduction(name, Scalar(&call.exponent, DType::kDouble), self, DType::kFloat, norms);
  reduction.dims = others;
  const auto bytes = static_cast<std::int64_t>(reduction_workspace(reduction, self, 1));
  const Tensor states = staging.make({bytes}, DType::kUint8);
  Kernels kernels = reduction_kernels(reduction, self, {&norms}, const_cast<std::byte*>(states.address()));
  StridedCall scale;
  scale.name = name;
  scale.shader = "reduction/renorm_f32";
  scale.promoted = DType::kFloat;
  RenormArguments arguments;
  arguments.max_norm = static_cast<float>(call.max_norm);
  add_arguments(scale, arguments);
  scale.operands = {{&self, Access::kRead}, {&norms, Access::kRead}, {&out, Access::kWrite}};
  append(kernels, strided_kernels(scale));
  return kernels;
}

std::uint32_t row_of_norm(double exponent) {
  return static_cast<std::uint32_t>(norm_of(exponent)) - static_cast<std::uint32_t>(ReduceKind::kFirstNorm);
}

Reduction norm_of_all(const char* name, const Scalar& exponent, const Tensor& self, const Tensor& out) {
  Reduction reduction = norm_reduction(name, exponent, self, self.dtype, out);
  reduction.dims = all_dims(self);
  return reduction;
}

std::shared_ptr<Executor> plan_renorm(const char* name, const InputArg& self_handle, const ScalarArg& exponent_handle,
                                      std::int64_t dim, const ScalarArg& max_norm_handle, const OutputArg& out_handle) {
  const TensorPtr self = required_tensor(self_handle);
  const ScalarPtr exponent = required_scalar(exponent_handle);
  const ScalarPtr max_norm = required_scalar(max_norm_handle);
  const TensorPtr out = required_tensor(out_handle);
  check_dtype(*self, self_handle.name, kFloats);
  check_dtype(*out, out_handle.name, kFloats);
  check_view(*self, self_handle.name);
  check_view(*out, out_handle.name);
  check(self->shape.size() >= 2, Code::kNnInvalid, "{} has shape {}; slices need at least two dims.", self_handle.name,
        self->shape);
  check_shape(*out, out_handle.name, self->shape, "self has shape");
  check_castable(exponent->dtype(), DType::kFloat, "p", "the norm");
  check_castable(max_norm->dtype(), DType::kFloat, "maxNorm", "the norm");
  const Renorm call{exponent->to_double(), max_norm->to_double(), mask_of(*self, dim, "dim")};
  check(call.exponent >= 0, Code::kNnInvalid, "p is {}; it must not be negative.", call.exponent);
  check(call.max_norm >= 0, Code::kNnInvalid, "maxNorm is {}; it must not be negative.", call.max_norm);
  return staged_executor(name, operands_between(*self, self_handle.name, *out, out_handle.name),
                         [=](const Executor::Operands& bound, Staging& staging) {
                           check_distinct(bound.output(0), out_handle.name);
                           check_overlap(bound.output(0), out_handle.name, bound.input(0), self_handle.name);
                           return renorm_kernels(name, call, bound.input(0), bound.output(0), staging);
                         });
}

}  // namespace aclvk::ops
