#include "ops/random/choose.hpp"

#include "base/error.hpp"
#include "ops/executor/operator_dtypes.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/random/draw.hpp"
#include "ops/scan/scan.hpp"
#include "ops/sort/sorting.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "ops/tensor/view.hpp"
#include "random/choose.args.h"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;
using BoundTensors = TensorParameters::BoundTensors;

ARGUMENT_STRUCT(ChooseArguments, CHOOSE_ARGUMENTS);

/// The largest integer n such that a dtype represents all integers up to n.
std::int64_t last_integer(DType dtype) {
  switch (dtype) {
    case DType::kInt8: return INT8_MAX;
    case DType::kUint8: return UINT8_MAX;
    case DType::kInt16: return INT16_MAX;
    // A float with p bits of significand represents all integers up to 2^p.
    case DType::kFloat16: return 1 << 11;
    case DType::kBfloat16: return 1 << 8;
    case DType::kFloat: return 1 << 24;
    default: return INT32_MAX;
  }
}

SortCall sort_call(const char* name, const Tensor& self, bool descending) {
  SortCall call;
  call.name = name;
  call.self = self;
  call.dim = self.shape.size() - 1;
  call.descending = descending;
  call.execution = runtime::execution();
  return call;
}

/// Sampling without replacement by exponential races (Efraimidis & Spirakis 2006): each element gets its weight divided
/// by an exponential variate, and the largest ones are the sample.
Kernels race_kernels(const char* name, const Source& source, const Tensor& weights, const Tensor& out,
                     Staging& staging) {
  const Tensor speeds = staging.make(weights.shape, weights.dtype == DType::kDouble ? DType::kDouble : DType::kFloat);
  DrawCall race;
  race.name = name;
  race.distribution = Distribution::kRace;
  race.source = source;
  race.first.tensor = &weights;
  Kernels kernels = draw_kernels(race, speeds);
  SortCall call = sort_call(name, speeds, true);
  call.indices = &out;
  append(kernels, sort_kernels(call, staging));
  return kernels;
}

/// Sampling with replacement: each draw is a binary search in the running sums of the weights (inverse transform
/// sampling).
Kernels bisection_kernels(const char* name, const Source& source, const Tensor& weights, const Tensor& out,
                          Staging& staging) {
  check_disjoint(out, "out", weights, "self");  // each draw reads any of the weights
  const bool wide = weights.dtype == DType::kDouble;
  const DType dtype = wide ? DType::kDouble : DType::kFloat;
  const std::size_t last = weights.shape.size() - 1;
  const Tensor sums = staging.make(weights.shape, dtype);
  // The sums are wider than 16-bit weights, so that small weights do not vanish in a large sum.
  Kernels kernels = running_sum_kernels(name, weights, sums, last, staging);
  Shape sum_steps = sums.strides;
  Shape weight_steps = weights.strides;
  // A lane starts at its row; the search indexes the elements.
  sum_steps[last] = weight_steps[last] = 0;
  SourceCall with_source(name, wide ? "random/choose_f64" : "random/choose_f32", source, dtype, out);
  StridedCall& call = with_source.call;
  ChooseArguments arguments;
  arguments.count = word(weights.shape[last]);
  arguments.step = word(weights.strides[last]);
  add_arguments(call, arguments);
  call.operands.push_back({&sums, Access::kRead, false, &sum_steps});
  call.operands.push_back({&weights, Access::kRead, false, &weight_steps});
  call.operands.push_back({&out, Access::kWrite, false});
  append(kernels, strided_kernels(call));
  return kernels;
}

}  // namespace

std::shared_ptr<Executor> plan_permutation(std::int64_t n, const OutputArg& out_handle,
                                           const SourceHandles& source_handles) {
  constexpr const char* kName = "aclnnRandperm";
  TensorParameters tensors;
  const auto out = tensors.output(out_handle);
  const SourceParameters source(tensors, source_handles);
  check_operand(tensors[out], "out", dtypes_of(kName).outputs);
  const DType dtype = tensors[out].dtype;
  // The dtype has to represent each element exactly.
  check(n >= 0 && n - 1 <= last_integer(dtype), Code::kNnInvalid, "n is {}; {} holds integers from 0 to {}.", n, dtype,
        last_integer(dtype));
  tensors.check_shape(out, {n}, "n is");
  return staged_executor(kName, tensors, [=](const BoundTensors& bound, Staging& staging) {
    // The sort writes indices only.
    const bool is_index = dtype == DType::kInt32 || dtype == DType::kInt64;
    const Tensor& result = *bound[out];
    const Tensor indices = is_index ? result : staging.make({n}, DType::kInt32);
    // Sorts random 64-bit keys, of which two are hardly ever equal.
    Tensor words = staging.make({2 * n}, DType::kUint32);
    Kernels kernels = integer_kernels(kName, source.in(bound), 0, std::uint64_t{1} << 32, words);
    // Pairs of 32-bit words are viewed as 64-bit keys.
    SortCall call = sort_call(kName, row_major({n}, DType::kUint64, words.address()), false);
    call.indices = &indices;
    append(kernels, sort_kernels(call, staging));
    if (!is_index) append(kernels, copy_kernels(kName, result, indices));
    return kernels;
  });
}

std::shared_ptr<Executor> plan_multinomial(const char* name, const InputArg& self_handle, std::int64_t count,
                                           bool replacement, const OutputArg& out_handle,
                                           const SourceHandles& source_handles) {
  TensorParameters tensors;
  const auto self = tensors.input(self_handle);
  const SourceParameters source(tensors, source_handles);
  const auto out = tensors.output(out_handle);
  check_operand(tensors[self], "self", kFloats.with(kDoubles));
  check_operand(tensors[out], "out", dtypes_of(name).outputs);
  source.check(tensors);
  const Shape& shape = tensors[self].shape;
  check(shape.size() == 1 || shape.size() == 2, Code::kNnInvalid, "self has {} dimensions; expected 1 or 2.",
        shape.size());
  const std::int64_t choices = shape.back();
  check(choices > 0, Code::kNnInvalid, "self has shape {}; one weight at least is expected.", shape);
  check(count > 0 && (replacement || count <= choices), Code::kNnInvalid, "numsamples is {}; expected 1 to {}.", count,
        replacement ? std::int64_t{INT64_MAX} : choices);
  Shape expected = shape;
  expected[shape.size() - 1] = count;
  tensors.check_shape(out, expected, "numsamples for each row of self make");
  return staged_executor(name, tensors, [=](const BoundTensors& bound, Staging& staging) {
    const auto kernels = replacement ? bisection_kernels : race_kernels;
    return kernels(name, source.in(bound), *bound[self], *bound[out], staging);
  });
}

}  // namespace aclvk::ops
