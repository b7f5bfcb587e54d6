#include "ops/index/compaction.hpp"

#include "base/error.hpp"
#include "index/coordinates.args.h"
#include "ops/args/index.hpp"
#include "ops/executor/dynamic_length.hpp"
#include "ops/executor/operator_dtypes.hpp"
#include "ops/index/indexed_kernels.hpp"
#include "ops/index/search.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/scan/scan.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using BoundTensors = TensorParameters::BoundTensors;
using ParamId = TensorParameters::ParamId;

ARGUMENT_STRUCT(CoordinatesArguments, COORDINATES_ARGUMENTS);

/// Gathers the elements at the indices `positions`.
// The range has no negative indices, because positions are results of a search.
Kernels gather_element_kernels(const char* name, const Tensor& source, const Tensor& positions, const Tensor& out) {
  const Shape none = {0};
  return gather_kernels({name, &source, &none, &positions, &out, {source.shape[0], 1, false}});
}

Kernels coordinate_kernels(const char* name, const Tensor& numbers, std::int64_t inner, std::int64_t size,
                           const Tensor& out) {
  StridedCall call;
  call.name = name;
  call.shader = "index/coordinates_bits";
  call.promoted = out.dtype;
  CoordinatesArguments arguments;
  arguments.inner = word(inner);
  arguments.size = word(size);
  add_arguments(call, arguments);
  call.operands = {{&numbers, runtime::Access::kRead, false}, {&out, runtime::Access::kWrite, false}};
  return strided_kernels(call);
}

std::function<Tensor(std::int64_t)> shortened_view(const Tensor& tensor, std::size_t dim) {
  return [=](std::int64_t length) { return shortened(tensor, dim, length); };
}

}  // namespace

void check_countable(std::int64_t elements, const char* name) {
  check(elements <= kMaxCounted, Code::kNnInvalid, "{} elements are looked at; {} counts up to {}.", elements, name,
        kMaxCounted);
}

Tensor sums_of(Kernels& kernels, const char* name, const Tensor& flags, Staging& staging) {
  const std::int64_t count = flags.elements();
  const Tensor sums = staging.make({count}, DType::kInt32);
  // The scan runs in place, on flags widened to INT32.
  append(kernels, copy_kernels(name, *reshaped(sums, flags.shape), flags));
  append(kernels, running_sum_kernels(name, sums, sums, 0, staging));
  return sums;
}

Tensor as_bool(Tensor mask) {
  mask.dtype = DType::kBool;
  return mask;
}

/// aclnnMaskedSelect: the elements of self where the mask is true. Both broadcast.
std::shared_ptr<Executor> plan(const MaskedSelectArgs& args) {
  constexpr const char* kName = "aclnnMaskedSelect";
  TensorParameters tensors;
  const ParamId self = tensors.input(args.self);
  const ParamId mask = tensors.input(args.mask);
  const ParamId out = tensors.output(args.out);
  check_dtype(tensors[self], "self", dtypes_of(kName).inputs);
  check_dtype(tensors[mask], "mask", kMasks);
  check_same_dtype(tensors[out], "out", tensors[self], "self");
  tensors.check_views();
  const Shape shape = check_broadcast(tensors[self], "self", tensors[mask], "mask");
  const std::int64_t count = element_count(shape);
  check(tensors[out].shape.size() == 1 && tensors[out].shape[0] >= count, Code::kNnInvalid,
        "out has shape {}; it is a vector with room for all {} elements of the broadcast shape {}.", tensors[out].shape,
        count, shape);
  check_countable(count, kName);
  const auto make_plan = [=](const BoundTensors& bound, Staging& staging) -> DynamicLengthPlan {
    if (count == 0) return {{}, staging.make({0}, DType::kInt32), [](std::int64_t) { return Kernels{}; }};
    const Tensor source = *reshaped(staging.read(expanded(*bound[self], shape)), {count});
    const Tensor positions = staging.make({count}, DType::kUint32);
    DynamicLengthPlan plan;
    // Stream compaction by a prefix sum (Blelloch 1990): the last sum is the length of the result. The host reads
    // it and then builds the kernels of exactly this length.
    plan.sums = sums_of(plan.kernels, kName, expanded(as_bool(*bound[mask]), shape), staging);
    plan.rest = [=, result = *bound[out], sums = plan.sums](std::int64_t length) {
      if (length == 0) return Kernels{};
      const Tensor found = sliced(positions, 0, 0, length);
      Kernels kernels = count_sums_kernels(kName, found, sums);
      append(kernels, gather_element_kernels(kName, source, found, shortened(result, 0, length)));
      return kernels;
    };
    return plan;
  };
  return dynamic_length_executor(kName, tensors, make_plan, {{args.out.handle, shortened_view(tensors[out], 0)}});
}

std::shared_ptr<Executor> plan_nonzero(const char* name, const InputArg& self_handle, bool by_dim,
                                       const OutputArg& out_handle) {
  TensorParameters tensors;
  const ParamId self = tensors.input(self_handle);
  const ParamId out = tensors.output(out_handle);
  check_dtype(tensors[self], "self", dtypes_of(name).inputs);
  check_dtype(tensors[out], "out", kIndices);
  tensors.check_views();
  const Shape shape = tensors[self].shape;
  const std::int64_t count = element_count(shape);
  const auto rank = static_cast<std::int64_t>(shape.size());
  const std::size_t along = by_dim ? 1 : 0;  // the dim of dynamic length
  const Shape& given = tensors[out].shape;
  // An element of a 0-d tensor has no coordinates, so the result needs no memory.
  const bool has_room = given.size() == 2 && (rank == 0 || given[along] >= count);
  check(has_room && given[1 - along] == rank, Code::kNnInvalid,
        "out has shape {}; it has {} for each element of self, which has shape {}.", given,
        by_dim ? "a row for each dim and a column" : "a column for each dim and a row", shape);
  check_countable(count, name);
  const auto make_plan = [=](const BoundTensors& bound, Staging& staging) -> DynamicLengthPlan {
    if (count == 0) return {{}, staging.make({0}, DType::kInt32), [](std::int64_t) { return Kernels{}; }};
    const Tensor flags = staging.make(shape, DType::kBool);
    const Tensor positions = staging.make({count}, DType::kUint32);
    DynamicLengthPlan plan;
    plan.kernels = copy_kernels(name, flags, *bound[self]);
    plan.sums = sums_of(plan.kernels, name, flags, staging);
    plan.rest = [=, result = *bound[out], sums = plan.sums](std::int64_t length) {
      Kernels kernels;
      if (length == 0 || rank == 0) return kernels;
      const Tensor found = sliced(positions, 0, 0, length);
      const Tensor to = shortened(result, along, length);
      append(kernels, count_sums_kernels(name, found, sums));
      // A coordinate is position / inner % size, with the number of elements of the later dims as inner.
      std::int64_t inner = 1;
      for (std::int64_t dim = rank - 1; dim >= 0; --dim) {
        const std::int64_t size = shape[static_cast<std::size_t>(dim)];
        append(kernels, coordinate_kernels(name, found, inner, size, selected(to, 1 - along, dim)));
        inner *= size;
      }
      return kernels;
    };
    return plan;
  };
  return dynamic_length_executor(name, tensors, make_plan, {{out_handle.handle, shortened_view(tensors[out], along)}});
}

}  // namespace aclvk::ops
