#include "ops/kernel/copy.hpp"

#include "ops/kernel/strided.hpp"
#include "ops/kernel/transpose.hpp"
#include "ops/tensor/dtype_sets.hpp"

namespace aclvk::ops {
namespace {

constexpr ClassShaders kShaders = ACLVK_CLASS_SHADERS("kernel/copy");

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
    // Comes first: with other contiguous dims on the two sides, the pointwise frame would use one element of each
    // line.
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
  call.promoted = read_as;
  call.operands = {{&from, Access::kRead, false}, {&to, Access::kWrite, false}};
  return strided_kernels(call);
}

}  // namespace aclvk::ops
