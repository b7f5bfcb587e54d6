#include "ops/reduction/select.hpp"

#include "base/error.hpp"
#include "ops/args/reduction.hpp"
#include "ops/executor/handles.hpp"
#include "ops/reduction/reduce.hpp"
#include "ops/reduction/reduction.hpp"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {
namespace {

constexpr ClassShaders kSelectShaders = ACLVK_CLASS_SHADERS("reduction/select");

constexpr DTypeSet kOrdered = {DType::kFloat, DType::kFloat16, DType::kBfloat16, DType::kDouble, DType::kInt32,
                               DType::kInt64, DType::kInt16,   DType::kInt8,     DType::kUint8,  DType::kBool};
constexpr DTypeSet kIndexDtypes = {DType::kInt32, DType::kInt64};

void check_result_dtype(const Tensor& self, const Tensor& out, const char* name) {
  check_dtype(out, name, kOrdered);
  check_castable(self.dtype, out.dtype, "self", name);
}

void check_index_range(std::int64_t count, DType indices) {
  // An index is a word in the shaders, of which the last value stands for no index.
  check(count < UINT32_MAX, Code::kFeatureNotSupported,
        "a row has {} elements; the index of one of less than 2^32 - 1 is supported.", count);
  check(indices != DType::kInt32 || count - 1 <= INT32_MAX, Code::kNnInvalid,
        "indices have dtype {}, and a row has {} elements; INT64 holds their indices.", indices, count);
}

/// `values` is null when only the index is requested. Names are those of the outputs.
std::shared_ptr<Executor> plan_select(const char* name, Extreme extreme, const Tensor& self, std::int64_t dim,
                                      bool keep, const Tensor* values, const Tensor& indices_out,
                                      const char* indices_name) {
  check_view(self, "self");
  if (values) check_view(*values, "out");
  check_view(indices_out, indices_name);
  Reduction reduction;
  reduction.name = name;
  reduction.promoted = self.dtype;
  reduction.dims = mask_of(self, dim, "dim");
  reduction.execution = runtime::execution();
  if (values) check_reduced_shape(*values, "out", self, reduction.dims, keep);
  check_reduced_shape(indices_out, indices_name, self, reduction.dims, keep);
  check_not_empty(self, "self", reduction.dims);
  check_index_range(reduced_count(self, reduction.dims), indices_out.dtype);
  const ComputeClass compute = class_for(self.dtype, {values ? values->dtype : self.dtype});
  reduction.shader = kSelectShaders[static_cast<std::size_t>(compute)];
  reduction.operation = static_cast<std::uint32_t>(extreme);
  return reduction_executor(reduction, self, {values, &indices_out}, {values ? "out" : nullptr, indices_name});
}

}  // namespace

std::shared_ptr<Executor> plan_extreme_dim(const char* name, Extreme extreme, const InputArg& self, std::int64_t dim,
                                           bool keep, const OutputArg& out, const OutputArg& indices) {
  const TensorPtr input = required_tensor(self);
  const TensorPtr values = required_tensor(out);
  const TensorPtr indices_out = required_tensor(indices);
  check_dtype(*input, "self", kOrdered);
  check_result_dtype(*input, *values, "out");
  check_dtype(*indices_out, "indices", kIndexDtypes);
  return plan_select(name, extreme, *input, dim, keep, values.get(), *indices_out, "indices");
}

std::shared_ptr<Executor> plan_arg_extreme(const char* name, Extreme extreme, const InputArg& self, std::int64_t dim,
                                           bool keep, const OutputArg& out) {
  const TensorPtr input = required_tensor(self);
  const TensorPtr indices_out = required_tensor(out);
  check_dtype(*input, "self", kOrdered.without({DType::kBool}));
  check_dtype(*indices_out, "out", kIndexDtypes);
  return plan_select(name, extreme, *input, dim, keep, nullptr, *indices_out, "out");
}

namespace {

/// The minimum and the maximum, as two reductions.
struct Extremes {
  TensorPtr self;
  TensorPtr lowest;
  TensorPtr highest;
};

Extremes read_extremes(const InputArg& self, const OutputArg& min_out, const OutputArg& max_out) {
  return {required_tensor(self), required_tensor(min_out), required_tensor(max_out)};
}

void check_extremes(const Extremes& call) {
  check_dtype(*call.self, "self", kOrdered);
  check_result_dtype(*call.self, *call.lowest, "minOut");
  check_result_dtype(*call.self, *call.highest, "maxOut");
  check_view(*call.self, "self");
  check_view(*call.lowest, "minOut");
  check_view(*call.highest, "maxOut");
}

Reduction extreme_reduction(const char* name, ReduceKind kind, const Tensor& self, const Tensor& out, DimMask dims) {
  Reduction reduction = reduction_of(name, kind, self, self.dtype, out);
  reduction.dims = dims;
  return reduction;
}

std::shared_ptr<Executor> plan_both(const char* name, const Extremes& call, DimMask dims, bool keep) {
  const Tensor& self = *call.self;
  check_reduced_shape(*call.lowest, "minOut", self, dims, keep);
  check_reduced_shape(*call.highest, "maxOut", self, dims, keep);
  check_not_empty(self, "self", dims);
  const Reduction lowest = extreme_reduction(name, ReduceKind::kMin, self, *call.lowest, dims);
  const Reduction highest = extreme_reduction(name, ReduceKind::kMax, self, *call.highest, dims);
  // The reductions run in order and share the workspace.
  auto build = [lowest, highest](const Executor::Operands& bound) {
    check_distinct(bound.output(0), "minOut");
    check_distinct(bound.output(1), "maxOut");
    check_overlap(bound.output(0), "minOut", bound.input(0), "self");
    check_overlap(bound.output(1), "maxOut", bound.input(0), "self");
    auto kernels = reduction_kernels(lowest, bound.input(0), {&bound.output(0)}, bound.workspace);
    for (auto& kernel : reduction_kernels(highest, bound.input(0), {&bound.output(1)}, bound.workspace)) {
      kernels.push_back(std::move(kernel));
    }
    return kernels;
  };
  return std::make_shared<Executor>(name, Executor::Operands{{&self}, {call.lowest.get(), call.highest.get()}},
                                    std::move(build), reduction_workspace(lowest, self, 1));
}

}  // namespace

/// aclnnAminmax and its forms: minimum and maximum over a list of dims, one dim, or all.
std::shared_ptr<Executor> plan(const AminmaxArgs& args) {
  const char* name = args.kOperator;
  const bool keep = args.keepDim;
  required_tensor(args.self);
  const auto list = required(int_array_handles(), args.dim);
  const Extremes call = read_extremes(args.self, args.minOut, args.maxOut);
  check_extremes(call);
  return plan_both(name, call, mask_of(*call.self, *list, "dim"), keep);
}

std::shared_ptr<Executor> plan(const AminmaxDimArgs& args) {
  const char* name = args.kOperator;
  const std::int64_t dim = args.dim;
  const bool keep = args.keepDim;
  const Extremes call = read_extremes(args.self, args.minOut, args.maxOut);
  check_extremes(call);
  return plan_both(name, call, mask_of(*call.self, dim, "dim"), keep);
}

std::shared_ptr<Executor> plan(const AminmaxAllArgs& args) {
  const char* name = args.kOperator;
  const Extremes call = read_extremes(args.self, args.minOut, args.maxOut);
  check_extremes(call);
  return plan_both(name, call, all_dims(*call.self), false);
}

}  // namespace aclvk::ops
