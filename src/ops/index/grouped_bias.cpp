#include "ops/index/grouped_bias.hpp"

#include <utility>

#include "base/error.hpp"
#include "index/grouped_bias.args.h"
#include "ops/executor/staged_executor.hpp"
#include "ops/index/indexed_kernels.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/reduction/reduce.hpp"
#include "ops/shape/copies.hpp"
#include "ops/tensor/dtype_sets.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(GroupedBiasArguments, GROUPED_BIAS_ARGUMENTS);

/// Sums the rows of groups; `ends` has the end of each.
Kernels sum_kernels(const char* name, const Tensor& gradient, const Tensor& ends, const Tensor& out) {
  // A thread may loop over all rows for each of its four lanes, with 1/32 + 1/64 iterations a row (kMaxIterations).
  constexpr std::int64_t kMaxRows = kMaxIterations * 64 / 3 / 4;
  check(gradient.shape[0] <= kMaxRows, Code::kFeatureNotSupported, "gradY has shape {}; up to {} rows are supported.",
        gradient.shape, kMaxRows);
  const Shape groups{1, 0};
  const Shape columns{0, gradient.strides[1]};
  StridedCall call;
  call.name = name;
  call.shader = "index/grouped_bias_f32";
  call.promoted = DType::kFloat;
  GroupedBiasArguments arguments;
  arguments.end_stride = word(ends.strides[0]);
  arguments.rows = word(gradient.shape[0]);
  arguments.row_stride = word(gradient.strides[0]);
  add_arguments(call, arguments);
  call.operands = {
      {&ends, Access::kRead, false, &groups}, {&gradient, Access::kRead, false, &columns}, {&out, Access::kWrite}};
  return strided_kernels(call);
}

/// Groups of equal size.
std::shared_ptr<Executor> plan_even(const char* name, const Tensor& gradient, const Tensor& out) {
  check(gradient.shape.size() == 3, Code::kNnInvalid,
        "gradY has shape {}; without groupIdxOptional three dimensions are expected: groups, rows and columns.",
        gradient.shape);
  Reduction reduction = reduction_of(name, ReduceKind::kSum, gradient, DType::kFloat, out);
  reduction.dims = mask_of(gradient, 1, "dim");
  check_reduced_shape(out, "out", gradient, reduction.dims, false);
  return reduction_executor(reduction, gradient, {&out}, {"out"});
}

}  // namespace

std::shared_ptr<Executor> plan_grouped_bias_gradient(const char* name, const InputArg& gradient_handle,
                                                     const InputArg& groups_handle, std::int64_t type,
                                                     const OutputArg& out_handle) {
  const TensorPtr gradient = required_tensor(gradient_handle);
  const TensorPtr groups = optional_tensor(groups_handle);
  const TensorPtr out = required_tensor(out_handle);
  check_operand(*gradient, "gradY", kFloats);
  if (groups) check_index(*groups, "groupIdxOptional");
  check_same_dtype(*out, "out", *gradient, "gradY");
  check_view(*out, "out");
  check(type == 0 || type == 1, Code::kNnInvalid, "groupIdxType is {}; expected 0 (ends) or 1 (numbers of rows).",
        type);
  if (!groups) return plan_even(name, *gradient, *out);
  check(gradient->shape.size() == 2 && groups->shape.size() == 1, Code::kNnInvalid,
        "gradY has shape {} and groupIdxOptional {}; expected a matrix and a vector.", gradient->shape, groups->shape);
  const std::int64_t count = groups->shape[0];
  check_shape(*out, "out", {count, gradient->shape[1]}, "a row for each group makes");
  auto make = [name, type, count](const Executor::Operands& bound, Staging& staging) {
    check_disjoint(bound, "out", "an input");
    if (type == 0 || count == 0) return sum_kernels(name, bound.input(0), bound.input(1), bound.output(0));
    // The running sum turns sizes into ends.
    const Tensor ends = staging.make({count}, DType::kUint32);
    Kernels kernels{running_sum_kernel(name, ends, bound.input(1))};
    append(kernels, sum_kernels(name, bound.input(0), ends, bound.output(0)));
    return kernels;
  };
  return staged_executor(name, Executor::Operands{{gradient.get(), groups.get()}, {out.get()}}, std::move(make));
}

}  // namespace aclvk::ops
