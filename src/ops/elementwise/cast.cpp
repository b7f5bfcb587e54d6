#include "base/error.hpp"
#include "ops/args/elementwise.hpp"
#include "ops/elementwise/float4.hpp"
#include "ops/executor/operator.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/tensor/dtype_sets.hpp"

namespace aclvk::ops {
namespace {

constexpr DTypeSet kConvertible = {
    DType::kFloat,     DType::kFloat16,   DType::kDouble,     DType::kInt8,     DType::kUint8,      DType::kInt16,
    DType::kUint16,    DType::kInt32,     DType::kUint32,     DType::kInt64,    DType::kUint64,     DType::kBool,
    DType::kComplex32, DType::kComplex64, DType::kComplex128, DType::kBfloat16, DType::kFloat8E4M3, DType::kFloat8E5M2};

constexpr DTypeSet kFloat4Convertible = kFloats.with(kFloat4s);

std::shared_ptr<Executor> plan_copy(const char* name, const Tensor& out, const char* out_name, const Tensor& input,
                                    const char* input_name) {
  return std::make_shared<Executor>(name, Executor::Operands{{&input}, {&out}}, [=](const Executor::Operands& bound) {
    check_distinct(bound.output(0), out_name);
    check_overlap(bound.output(0), out_name, bound.input(0), input_name);
    return copy_kernels(name, bound.output(0), bound.input(0));
  });
}

}  // namespace

/// Between any dtypes. Floats are truncated to integers, values out of range saturate, and NaN becomes 0; a complex
/// number becomes its real part; nonzero values become true.
std::shared_ptr<Executor> plan(const CastArgs& args) {
  const TensorPtr input = required_tensor(args.self);
  const TensorPtr output = required_tensor(args.out);
  const bool by_halves = is_four_bit(input->dtype) || is_four_bit(output->dtype);
  const DTypeSet& dtypes = by_halves ? kFloat4Convertible : kConvertible;
  check_dtype(*input, "self", dtypes);
  check_dtype(*output, "out", dtypes);
  check(args.dtype == output->dtype, Code::kNnInvalid, "dtype is {}; out has dtype {}.", args.dtype.value,
        output->dtype);
  check_view(*input, "self");
  check_view(*output, "out");
  check_shape(*output, "out", input->shape, "self has shape");
  return by_halves ? plan_float4_cast(*input, *output) : plan_copy(CastArgs::kOperator, *output, "out", *input, "self");
}

/// Copies src, broadcast and converted, to selfRef.
std::shared_ptr<Executor> plan(const InplaceCopyArgs& args) {
  const TensorPtr output = required_tensor(args.selfRef);
  const TensorPtr input = required_tensor(args.src);
  check_dtype(*output, "selfRef", kConvertible);
  check_dtype(*input, "src", kConvertible);
  check_view(*output, "selfRef");
  check_view(*input, "src");
  const Shape shape = check_broadcast(*output, "selfRef", *input, "src");
  check_shape(*output, "selfRef", shape, "with src it broadcasts to");
  return plan_copy(InplaceCopyArgs::kOperator, *output, "selfRef", *input, "src");
}

}  // namespace aclvk::ops
