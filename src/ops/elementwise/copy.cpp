#include "ops/elementwise/copy.hpp"

#include "base/error.hpp"
#include "ops/dtype_sets.hpp"
#include "ops/elementwise/float4.hpp"
#include "ops/elementwise/transpose.hpp"
#include "ops/strided.hpp"

namespace aclvk::ops {
namespace {

constexpr ClassShaders kShaders = ACLVK_CLASS_SHADERS("elementwise/copy");

constexpr DTypeSet kConvertible = {
    DType::kFloat,     DType::kFloat16,   DType::kDouble,     DType::kInt8,     DType::kUint8,      DType::kInt16,
    DType::kUint16,    DType::kInt32,     DType::kUint32,     DType::kInt64,    DType::kUint64,     DType::kBool,
    DType::kComplex32, DType::kComplex64, DType::kComplex128, DType::kBfloat16, DType::kFloat8E4M3, DType::kFloat8E5M2};

constexpr DTypeSet kFloat4Convertible = kFloats.with(kFloat4s);

/// Views a tensor as unsigned integers of at most 32 bits, with an innermost dim of words for larger elements. So
/// copies preserve every bit (NaN payloads, denormals) and need no 64-bit types.
Tensor as_words(const Tensor& tensor) {
  Tensor words = tensor;
  const auto bytes = static_cast<std::int64_t>(size_of(tensor.dtype));
  words.dtype = bytes == 1 ? DType::kUint8 : bytes == 2 ? DType::kUint16 : DType::kUint32;
  if (bytes <= 4) return words;
  const std::int64_t count = bytes / 4;
  for (std::int64_t& stride : words.strides) stride *= count;
  words.offset *= count;
  words.shape.push_back(count);
  words.strides.push_back(1);
  return words;
}

/// Elements of more than four bytes need an additional dim, and a kernel has at most eight.
bool fits_words(const Tensor& tensor, std::size_t rank) { return size_of(tensor.dtype) <= 4 || rank < kMaxRank; }

}  // namespace

Kernels copy_kernels(std::string_view name, const Tensor& out, const Tensor& input) {
  using runtime::Access;
  if (out.dtype == input.dtype) {
    if (const auto kernel = transposing_kernel(name, out, input)) return {*kernel};
  }
  const bool same = out.dtype == input.dtype && fits_words(out, out.shape.size());
  const Tensor from = same ? as_words(input) : input;
  const Tensor to = same ? as_words(out) : out;
  StridedCall call;
  call.name = name;
  // 8-bit floats are converted by way of float.
  const DType read_as = kFloat8s.contains(from.dtype) ? DType::kFloat : from.dtype;
  call.shader = kShaders[static_cast<std::size_t>(class_for(read_as, {to.dtype}))];
  call.copies = same;
  call.constants = {static_cast<std::uint32_t>(read_as)};
  call.operands = {{&from, Access::kRead, false}, {&to, Access::kWrite, false}};
  return strided_kernels(call);
}

namespace {

std::shared_ptr<Executor> plan_copy(const char* name, const Tensor& out, const char* out_name, const Tensor& input,
                                    const char* input_name) {
  return std::make_shared<Executor>(name, Executor::Operands{{&input}, {&out}}, [=](const Executor::Operands& bound) {
    check_distinct(bound.output(0), out_name);
    check_overlap(bound.output(0), out_name, bound.input(0), input_name);
    return copy_kernels(name, bound.output(0), bound.input(0));
  });
}

}  // namespace

std::shared_ptr<Executor> plan_cast(const void* self, int dtype, const void* out) {
  const TensorPtr input = required_tensor(self, "self");
  const TensorPtr output = required_tensor(out, "out");
  const bool by_halves = is_four_bit(input->dtype) || is_four_bit(output->dtype);
  const DTypeSet& dtypes = by_halves ? kFloat4Convertible : kConvertible;
  check_dtype(*input, "self", dtypes);
  check_dtype(*output, "out", dtypes);
  check(static_cast<DType>(dtype) == output->dtype, Code::kNnInvalid, "dtype is {}; out has dtype {}.",
        static_cast<DType>(dtype), output->dtype);
  check_view(*input, "self");
  check_view(*output, "out");
  check_shape(*output, "out", input->shape, "self has shape");
  return by_halves ? plan_float4_cast(*input, *output) : plan_copy("aclnnCast", *output, "out", *input, "self");
}

std::shared_ptr<Executor> plan_inplace_copy(const void* self, const void* src) {
  const TensorPtr output = required_tensor(self, "selfRef");
  const TensorPtr input = required_tensor(src, "src");
  check_dtype(*output, "selfRef", kConvertible);
  check_dtype(*input, "src", kConvertible);
  check_view(*output, "selfRef");
  check_view(*input, "src");
  const Shape shape = check_broadcast(*output, "selfRef", *input, "src");
  check_shape(*output, "selfRef", shape, "with src it broadcasts to");
  return plan_copy("aclnnInplaceCopy", *output, "selfRef", *input, "src");
}

}  // namespace aclvk::ops
