#include "ops/matmul/formats/nibbles.hpp"

#include "base/error.hpp"
#include "ops/elementwise/nibbles.hpp"
#include "ops/matmul/formats/fractal.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

constexpr std::int64_t kNibblesPerWord = 8;

/// Returns the packed dim.
std::size_t packed_dim(const Tensor& tensor) { return tensor.shape.size() - (is_packed_by_columns(tensor) ? 2 : 1); }

/// Returns the shape in 4-bit elements of a contiguous tensor.
Shape in_nibbles(Shape shape, DType dtype) {
  if (dtype == DType::kInt32) shape.back() *= kNibblesPerWord;
  return shape;
}

}  // namespace

bool is_packed_by_columns(const Tensor& tensor) {
  const std::size_t rank = tensor.shape.size();
  // A row of INT4 is a column as well; it counts as packed along its elements.
  const bool is_row = rank >= 2 && is_four_bit(tensor.dtype) && tensor.shape[rank - 2] == 1;
  return is_transposed(tensor) && !is_row;
}

bool is_packed(const Tensor& tensor) { return is_four_bit(tensor.dtype) || tensor.dtype == DType::kInt32; }

Tensor as_words(Tensor tensor) {
  if (tensor.dtype == DType::kFloat) tensor.dtype = DType::kInt32;
  return tensor;
}

Shape unpacked_shape(const char* name, const Tensor& tensor) {
  if (!is_packed(tensor)) return tensor.shape;
  check(!tensor.shape.empty() && is_contiguous(in_memory_order(tensor)), Code::kNnInvalid,
        "{} has dtype {}, shape {} and strides {}; 4-bit elements without gaps are expected.", name, tensor.dtype,
        tensor.shape, tensor.strides);
  Shape shape = tensor.shape;
  if (tensor.dtype == DType::kInt32) shape[packed_dim(tensor)] *= kNibblesPerWord;
  const bool begins = tensor.dtype == DType::kInt32 || tensor.offset % kNibblesPerWord == 0;
  const bool whole = begins && shape[packed_dim(tensor)] % kNibblesPerWord == 0 &&
                     reinterpret_cast<std::uintptr_t>(tensor.address()) % sizeof(std::uint32_t) == 0;
  check(whole, Code::kNnInvalid,
        "{} has shape {}; rows of whole words (eight 4-bit elements), which begin at a word, are expected.", name,
        tensor.shape);
  return shape;
}

Tensor unpacked(const char* name, const Tensor& tensor, Staging& staging, Kernels& before, DType in_words) {
  if (!is_packed(tensor)) return tensor;
  unpacked_shape(name, tensor);  // checked again, because the address may have changed
  const bool fractal = is_fractal(tensor);
  const Tensor contiguous = fractal ? blocks_of(tensor) : in_memory_order(tensor);
  const DType elements = tensor.dtype == DType::kInt32 ? in_words : tensor.dtype;
  const Shape shape = in_nibbles(contiguous.shape, tensor.dtype);
  // Unpacks in the order of memory, whatever the dims are, so the kernel has one contiguous row.
  const Tensor row = unpacked_row(name, contiguous.address(), elements, element_count(shape), staging, before);
  Tensor bytes = row_major(shape, row.dtype, row.address());
  if (fractal) {
    bytes.storage = bytes.shape;
    bytes.format = tensor.format;
    bytes.shape = in_nibbles(in_memory_order(tensor).shape, tensor.dtype);
    bytes.strides = contiguous_strides(bytes.shape);
  }
  return is_transposed(tensor) ? with_swapped_dims(bytes) : bytes;
}

}  // namespace aclvk::ops
