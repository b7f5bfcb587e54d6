#include "ops/matmul/rescale.hpp"

#include <array>
#include <utility>

#include "base/error.hpp"
#include "ops/grid.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/strided.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

constexpr std::int64_t kNibblesOfWord = 8;

Kernels rescale(const char* name, bool of_products, const std::array<const Tensor*, 4>& operands, const Tensor& out) {
  StridedCall call;
  call.name = name;
  call.shader = "matmul/rescale_f32";
  std::uint32_t parts = 0;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    // What is not there has a place, which nothing reads.
    call.operands.push_back({operands[i] ? operands[i] : operands[0], Access::kRead, operands[i] == nullptr});
    if (i > 0 && operands[i]) parts |= 1U << (i - 1);
  }
  call.operands.push_back({&out, Access::kWrite});
  call.constants = {static_cast<std::uint32_t>(DType::kFloat), static_cast<std::uint32_t>(of_products), parts};
  return strided_kernels(call);
}

/// The dim whose elements share words.
std::size_t packed_dim(const Tensor& tensor) {
  std::size_t dim = tensor.shape.size() - 1;
  const bool turned = dim > 0 && tensor.strides[dim] != 1 && tensor.strides[dim - 1] == 1;
  return turned ? dim - 1 : dim;
}

/// The same elements in the order of memory.
Tensor in_memory_order(const Tensor& tensor) {
  const bool as_it_is = packed_dim(tensor) + 1 == tensor.shape.size();
  return as_it_is ? tensor : with_swapped_dims(tensor);
}

}  // namespace

Kernels dequantize_kernels(const char* name, const Tensor& x, const Tensor* offset, const Tensor* scale,
                           const Tensor& out) {
  return rescale(name, false, {&x, offset, scale, nullptr}, out);
}

Kernels rescale_kernels(const char* name, const Tensor& sum, const Tensor* scale, const Tensor* row_scale,
                        const Tensor* shift, const Tensor& out) {
  return rescale(name, true, {&sum, scale, row_scale, shift}, out);
}

bool is_packed(const Tensor& tensor) { return tensor.dtype == DType::kInt4 || tensor.dtype == DType::kInt32; }

Shape unpacked_shape(const char* name, const Tensor& tensor) {
  if (!is_packed(tensor)) return tensor.shape;
  check(!tensor.shape.empty() && is_contiguous(in_memory_order(tensor)), Code::kNnInvalid,
        "{} has dtype {}, shape {} and strides {}; elements of four bits lie without gaps.", name, tensor.dtype,
        tensor.shape, tensor.strides);
  Shape shape = tensor.shape;
  if (tensor.dtype == DType::kInt32) shape[packed_dim(tensor)] *= kNibblesOfWord;
  const bool begins = tensor.dtype == DType::kInt32 || tensor.offset % kNibblesOfWord == 0;
  const bool whole = begins && shape[packed_dim(tensor)] % kNibblesOfWord == 0 &&
                     reinterpret_cast<std::uintptr_t>(tensor.address()) % sizeof(std::uint32_t) == 0;
  check(whole, Code::kNnInvalid, "{} has shape {}; eights of four bits each, which begin at a word, are expected.",
        name, tensor.shape);
  return shape;
}

Tensor unpacked(const char* name, const Tensor& tensor, Staging& staging, Kernels& before) {
  if (!is_packed(tensor)) return tensor;
  unpacked_shape(name, tensor);  // the address may be another one than it was
  Tensor ordered = in_memory_order(tensor);
  if (tensor.dtype == DType::kInt32) ordered.shape.back() *= kNibblesOfWord;
  const Tensor bytes = staging.make(ordered.shape, DType::kInt8);
  const auto words = static_cast<std::uint64_t>(bytes.elements() / kNibblesOfWord);
  runtime::Kernel kernel;
  kernel.name = name;
  kernel.shader = "matmul/nibbles_i32";
  kernel.operands = {{ordered.address(), words * sizeof(std::uint32_t), Access::kRead},
                     {bytes.address(), words * kNibblesOfWord, Access::kWrite}};
  kernel.arguments = runtime::argument_bytes(static_cast<std::uint32_t>(words));
  kernel.groups = row_of_groups(words);
  before.push_back(std::move(kernel));
  return packed_dim(tensor) + 1 == tensor.shape.size() ? bytes : with_swapped_dims(bytes);
}

Tensor float_scale(const Tensor& scale) {
  if (scale.dtype != DType::kUint64 && scale.dtype != DType::kInt64) return scale;
  Tensor low = scale;
  low.dtype = DType::kFloat;
  low.offset *= 2;
  for (std::int64_t& stride : low.strides) stride *= 2;
  return low;
}

}  // namespace aclvk::ops
