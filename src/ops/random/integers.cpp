#include "base/error.hpp"
#include "ops/executor/operator_dtypes.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/random/draw.hpp"
#include "random/integers.args.h"

namespace aclvk::ops {
namespace {

using runtime::Access;
using BoundTensors = TensorParameters::BoundTensors;

ARGUMENT_STRUCT(IntegersArguments, INTEGERS_ARGUMENTS);

constexpr ClassShaders kShaders = ACLVK_CLASS_SHADERS("random/integers");

/// The range of consecutive integers that a dtype represents, at most that of 64 bits.
struct Bounds {
  std::int64_t lowest;
  std::int64_t highest;
};
Bounds bounds_of(DType dtype) {
  // A float with p bits of significand represents all integers of at most 2^p in magnitude.
  const auto around_zero = [](int bits) { return Bounds{-(std::int64_t{1} << bits), std::int64_t{1} << bits}; };
  switch (dtype) {
    case DType::kBool: return {0, 1};
    case DType::kUint8: return {0, UINT8_MAX};
    case DType::kInt8: return {INT8_MIN, INT8_MAX};
    case DType::kInt16: return {INT16_MIN, INT16_MAX};
    case DType::kInt32: return {INT32_MIN, INT32_MAX};
    case DType::kFloat16: return around_zero(11);
    case DType::kBfloat16: return around_zero(8);
    case DType::kFloat:
    case DType::kComplex64: return around_zero(24);
    case DType::kDouble:
    case DType::kComplex128: return around_zero(53);
    default: return {INT64_MIN, INT64_MAX};
  }
}

}  // namespace

Kernels integer_kernels(const char* name, const Source& source, std::int64_t low, std::uint64_t range,
                        const Tensor& out) {
  const auto last = static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + range - 1);
  const bool narrow = low >= INT32_MIN && last <= INT32_MAX && last >= low;
  const DType promoted =
      narrow || (kind_of(out.dtype) <= Kind::kInteger && !is_wide(out.dtype)) ? DType::kInt32 : DType::kInt64;
  SourceCall with_source(name, kShaders[static_cast<std::size_t>(class_for(promoted, {out.dtype}))], source, promoted,
                         out);
  StridedCall& call = with_source.call;
  IntegersArguments arguments;
  arguments.low = two_words(static_cast<std::uint64_t>(low));
  arguments.range = two_words(range);
  add_arguments(call, arguments);
  call.operands.push_back({&out, Access::kWrite, false});
  return strided_kernels(call);
}

namespace {

std::shared_ptr<Executor> plan_integers(const char* name, const TensorParameters& tensors,
                                        TensorParameters::ParamId out, const SourceParameters& source, std::int64_t low,
                                        std::uint64_t range) {
  return staged_executor(name, tensors, [=](const BoundTensors& bound, Staging&) {
    return integer_kernels(name, source.in(bound), low, range, *bound[out]);
  });
}

}  // namespace

std::shared_ptr<Executor> plan_random(const char* name, const OutputArg& self, std::int64_t from, std::int64_t to,
                                      const SourceHandles& source_handles) {
  TensorParameters tensors;
  const auto out = tensors.output(self);
  const SourceParameters source(tensors, source_handles);
  check_operand(tensors[out], "selfRef", dtypes_of(name).inputs);
  source.check(tensors);
  check(from < to, Code::kNnInvalid, "from is {} and to is {}; from has to be less than to.", from, to);
  const DType dtype = tensors[out].dtype;
  const Bounds bounds = bounds_of(dtype);
  // Floating-point results beyond the bounds are rounded instead of refused.
  const bool fits = kind_of(dtype) > Kind::kInteger || (from >= bounds.lowest && to - 1 <= bounds.highest);
  check(fits, Code::kNnInvalid, "from is {} and to is {}; {} holds {} to {}.", from, to, dtype, bounds.lowest,
        bounds.highest);
  return plan_integers(name, tensors, out, source, from,
                       static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from));
}

std::shared_ptr<Executor> plan_random_full(const char* name, const OutputArg& self,
                                           const SourceHandles& source_handles) {
  TensorParameters tensors;
  const auto out = tensors.output(self);
  const SourceParameters source(tensors, source_handles);
  check_operand(tensors[out], "selfRef", dtypes_of(name).inputs);
  source.check(tensors);
  const auto highest = static_cast<std::uint64_t>(bounds_of(tensors[out].dtype).highest);
  return plan_integers(name, tensors, out, source, 0, highest + 1);
}

}  // namespace aclvk::ops
