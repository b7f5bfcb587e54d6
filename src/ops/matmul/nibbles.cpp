#include "ops/matmul/nibbles.hpp"

#include "base/error.hpp"
#include "ops/grid.hpp"
#include "ops/matmul/fractal.hpp"
#include "ops/shape/matrix_view.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

constexpr std::int64_t kNibblesOfWord = 8;

/// The dim whose elements share words.
std::size_t packed_dim(const Tensor& tensor) { return tensor.shape.size() - (lies_turned(tensor) ? 2 : 1); }

/// A row of eights, made of a row of words.
Kernels bytes_of_words(const char* name, const Tensor& from, const Tensor& to, std::uint64_t words) {
  runtime::Kernel kernel;
  kernel.name = name;
  kernel.shader = "matmul/nibbles_i32";
  kernel.operands = {{from.address(), words * sizeof(std::uint32_t), Access::kRead},
                     {to.address(), words * kNibblesOfWord, Access::kWrite}};
  kernel.arguments = runtime::argument_bytes(static_cast<std::uint32_t>(words));
  kernel.groups = row_of_groups(words);
  return {kernel};
}

/// The shape in elements of four bits of what lies without gaps.
Shape in_nibbles(Shape shape, DType dtype) {
  if (dtype == DType::kInt32) shape.back() *= kNibblesOfWord;
  return shape;
}

Tensor unpacked_row(const char* name, const Tensor& ordered, Staging& staging, Kernels& before) {
  const Tensor bytes = staging.make(in_nibbles(ordered.shape, ordered.dtype), DType::kInt8);
  const auto words = static_cast<std::uint64_t>(bytes.elements() / kNibblesOfWord);
  append(before, bytes_of_words(name, ordered, bytes, words));
  return bytes;
}

}  // namespace

bool lies_turned(const Tensor& tensor) {
  const std::size_t rank = tensor.shape.size();
  const bool is_row = rank >= 2 && tensor.dtype == DType::kInt4 && tensor.shape[rank - 2] == 1;
  return is_turned(tensor) && !is_row;
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
  const Shape shape = unpacked_shape(name, tensor);  // the address may be another one than it was
  if (!is_fractal(tensor)) {
    const Tensor bytes = unpacked_row(name, in_memory_order(tensor), staging, before);
    return is_turned(tensor) ? with_swapped_dims(bytes) : bytes;
  }
  Tensor blocks = unpacked_row(name, blocks_of(tensor), staging, before);
  blocks.storage = blocks.shape;
  blocks.format = tensor.format;
  blocks.shape = in_nibbles(in_memory_order(tensor).shape, tensor.dtype);
  blocks.strides = contiguous_strides(blocks.shape);
  return is_turned(tensor) ? with_swapped_dims(blocks) : blocks;
}

}  // namespace aclvk::ops
