#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "ops/dtype.hpp"
#include "ops/shape.hpp"

namespace aclvk::ops {

/// So many bytes behind `start`, as a number: while an operator is planned there may be no memory, and no pointer.
inline std::byte* at_byte_offset(const void* start, std::int64_t bytes) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(start) + static_cast<std::uintptr_t>(bytes));
}

/// An aclTensor: a view of device memory that it does not own. Strides and offset count elements. A plain value:
/// executors keep copies, so a tensor may be destroyed once the first phase has returned.
struct Tensor {
  Shape shape;
  Shape strides;
  std::int64_t offset = 0;
  Shape storage;
  DType dtype = DType::kFloat;
  int format = 0;
  void* data = nullptr;
  /// The program's object that this is, or is made of, and the number of the call that described it: aclInitTensor
  /// makes another tensor of the same object. NULL for tensors of our own.
  const void* handle = nullptr;
  std::uint64_t description = 0;

  std::int64_t elements() const { return element_count(shape); }
  bool empty() const { return std::find(shape.begin(), shape.end(), 0) != shape.end(); }
  /// Where the first element is.
  const std::byte* address() const {
    return at_byte_offset(data, is_four_bit(dtype) ? offset / 2 : offset * static_cast<std::int64_t>(size_of(dtype)));
  }
};

using TensorPtr = std::shared_ptr<const Tensor>;

/// Whether both are the program's same tensor, wherever they say it lies.
inline bool is_same_tensor(const Tensor& first, const Tensor& second) {
  return first.handle && first.handle == second.handle && first.description == second.description;
}

/// The bytes from the first to behind the last element of a view.
struct ByteSpan {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};
ByteSpan span_of(const Tensor& tensor);

/// Throws 161002 unless the tensor can be an operand: rank <= 8, sizes and strides not negative, address a multiple of
/// the element size. `name` is the argument's name.
void check_view(const Tensor& tensor, const char* name);

/// The same elements at the same places.
bool is_same_view(const Tensor& first, const Tensor& second);

/// Whether an element of one is known to be one of the other. Strided views with gaps may interleave; telling is
/// expensive, so they are trusted.
bool share_elements(const Tensor& first, const Tensor& second);

/// Throws 161002 when elements of `out` share memory with each other or with another place of `input`. The same view
/// for both (an in-place operator) is fine.
void check_distinct(const Tensor& out, const char* out_name);
void check_overlap(const Tensor& out, const char* out_name, const Tensor& input, const char* input_name);

}  // namespace aclvk::ops
