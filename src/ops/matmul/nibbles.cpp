#include "ops/matmul/nibbles.hpp"

#include "base/error.hpp"
#include "ops/elementwise/copy.hpp"
#include "ops/grid.hpp"
#include "ops/matmul/fractal.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/shape/view.hpp"
#include "ops/staged_executor.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

constexpr std::int64_t kNibblesOfWord = 8;

/// The dim whose elements share words. Those of INT4 in a single row lie in order either way round.
std::size_t packed_dim(const Tensor& tensor) {
  const std::size_t rank = tensor.shape.size();
  const bool is_row = rank >= 2 && tensor.dtype == DType::kInt4 && tensor.shape[rank - 2] == 1;
  return rank - (is_turned(tensor) && !is_row ? 2 : 1);
}

/// A row of words and a row of as many eights, one of them made of the other.
Kernels between_words(const char* name, std::string_view shader, const Tensor& from, const Tensor& to,
                      std::uint64_t words, std::uint64_t from_bytes, std::uint64_t to_bytes) {
  runtime::Kernel kernel;
  kernel.name = name;
  kernel.shader = shader;
  kernel.operands = {{from.address(), words * from_bytes, Access::kRead},
                     {to.address(), words * to_bytes, Access::kWrite}};
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
  append(before, between_words(name, "matmul/nibbles_i32", ordered, bytes, words, sizeof(std::uint32_t), 8));
  return bytes;
}

}  // namespace

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

std::shared_ptr<Executor> plan_pack_weight(const void* weight, const void* packed) {
  constexpr const char* kName = "aclnnConvertWeightToINT4Pack";
  TensorParameters tensors;
  const auto from = tensors.input(weight, "weight");
  const auto to = tensors.output(packed, "weightInt4Pack");
  tensors.check_dtypes(dtypes_of(kName));
  tensors.check_views();
  check_fractal(tensors[to], "weightInt4Pack");
  check(
      tensors[from].shape == unpacked_shape("weightInt4Pack", tensors[to]), Code::kNnInvalid,
      "weight has shape {} and weightInt4Pack, of dtype {}, has shape {}; as many elements of four bits are expected.",
      tensors[from].shape, tensors[to].dtype, tensors[to].shape);
  return staged_executor({kName, kFractalNz}, tensors, [=](const TensorParameters::Now& now, Staging& staging) {
    const Tensor& out = *now[to];
    unpacked_shape("weightInt4Pack", out);
    check_apart(out, "weightInt4Pack", *now[from], "weight");
    const Tensor in_order = is_turned(out) ? with_swapped_dims(*now[from]) : *now[from];
    Kernels kernels;
    Tensor words = in_order;
    if (is_fractal(out)) {
      Tensor blocks = staging.make(in_nibbles(storage_of(out), out.dtype), DType::kInt32);
      blocks.storage = blocks.shape;
      append(kernels, block_kernels(kName, in_order, blocks, staging));
      words = blocks;
    } else if (!is_contiguous(in_order)) {
      words = staging.make(in_order.shape, DType::kInt32);
      append(kernels, copy_kernels(kName, words, in_order));
    }
    append(kernels, between_words(kName, "matmul/pack_nibbles_i32", words, is_fractal(out) ? blocks_of(out) : out,
                                  static_cast<std::uint64_t>(words.elements() / kNibblesOfWord),
                                  kNibblesOfWord * sizeof(std::uint32_t), sizeof(std::uint32_t)));
    return kernels;
  });
}

}  // namespace aclvk::ops
