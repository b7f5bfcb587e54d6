#pragma once

#include <optional>
#include <utility>

#include "ops/matmul/products/product_reference.hpp"

namespace aclvk::test {

// FRACTAL_NZ: the storage of a matrix in blocks, after the dims of a batch.

constexpr std::int64_t kBlockRows = 16;

/// A handle for a matrix in blocks, over the memory of a tensor that has the storage shape. With format ND its elements
/// are at the beginning of that memory, one after the other.
class Blocks {
 public:
  /// What the handle says of its storage.
  enum class Said { kBlocks, kElements };

  Blocks(const OpTensor& storage, const Shape& shape, bool transposed = false, aclFormat format = ACL_FORMAT_FRACTAL_NZ,
         Said said = Said::kBlocks) {
    Shape strides = OpTensor::row_major(shape);
    Shape view = shape;
    if (transposed) {
      std::swap(strides[shape.size() - 1], strides[shape.size() - 2]);
      std::swap(view[shape.size() - 1], view[shape.size() - 2]);
    }
    const Shape dims = said == Said::kElements           ? Shape{count_of(shape)}
                       : format == ACL_FORMAT_FRACTAL_NZ ? storage.shape()
                                                         : shape;
    handle_ = aclCreateTensor(view.data(), view.size(), storage.type(), strides.data(), 0, format, dims.data(),
                              dims.size(), storage.memory());
    storage.also(handle_);
  }
  ~Blocks() { aclDestroyTensor(handle_); }
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  aclTensor* get() const { return handle_; }

 private:
  aclTensor* handle_;
};

inline Shape storage_shape(aclDataType type, const Shape& shape, std::int64_t columns_of_block = 0) {
  const std::int64_t c = columns_of_block ? columns_of_block : 32 / static_cast<std::int64_t>(aclDataTypeSize(type));
  Shape storage(shape.begin(), shape.end() - 2);
  storage.insert(storage.end(),
                 {(shape.back() + c - 1) / c, (shape[shape.size() - 2] + kBlockRows - 1) / kBlockRows, kBlockRows, c});
  return storage;
}

/// The matrix element at a place of the storage, or nothing where blocks are filled up.
inline std::optional<Shape> element_of(const Shape& storage, const Shape& shape, std::int64_t place) {
  const Shape at = coordinates_of(place, storage);
  const std::size_t batch = storage.size() - 4;
  Shape element(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(batch));
  element.push_back(at[batch + 1] * storage[batch + 2] + at[batch + 2]);
  element.push_back(at[batch] * storage.back() + at[batch + 3]);
  const bool inside = element[batch] < shape[batch] && element[batch + 1] < shape[batch + 1];
  return inside ? std::optional(element) : std::nullopt;
}

/// With other numbers where blocks are filled up.
inline void fill_blocks(OpTensor& storage, const OpTensor& matrix, Number filling = 0) {
  storage.fill([&](std::int64_t place) -> Number {
    const auto element = element_of(storage.shape(), matrix.shape(), place);
    return element ? matrix.before(element_at(*element, matrix.shape())) : filling;
  });
}

}  // namespace aclvk::test
