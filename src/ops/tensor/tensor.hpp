#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "ops/tensor/dtype.hpp"
#include "ops/tensor/shape.hpp"

namespace aclvk::ops {

/// Adds `bytes` to an address in integer arithmetic. `start` may be NULL or a placeholder while an operator is planned,
/// where pointer arithmetic would be undefined.
inline std::byte* at_byte_offset(const void* start, std::int64_t bytes) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(start) + static_cast<std::uintptr_t>(bytes));
}

/// An aclTensor: a view of device memory that it does not own. Strides and offset count elements. Executors share
/// it, so a program may destroy a tensor when the first phase has returned.
struct Tensor {
  Shape shape;
  Shape strides;
  std::int64_t offset = 0;
  Shape storage;
  DType dtype = DType::kFloat;
  int format = 0;
  void* data = nullptr;
  /// The program's handle of this tensor, or of the tensor that this view was made of; NULL for internal tensors. Only
  /// compared, so it has no type.
  const void* handle = nullptr;
  /// Distinguishes the tensors of one handle: aclInitTensor describes the object anew, with another number.
  std::uint64_t description = 0;

  std::int64_t elements() const { return element_count(shape); }
  bool empty() const { return std::find(shape.begin(), shape.end(), 0) != shape.end(); }
  /// The address of the first element; of its byte for packed 4-bit types.
  const std::byte* address() const {
    return at_byte_offset(data, is_four_bit(dtype) ? offset / 2 : offset * static_cast<std::int64_t>(size_of(dtype)));
  }
};

using TensorPtr = std::shared_ptr<const Tensor>;

/// The longest stride that a dim of one element keeps: 2 GiB for elements of 16 bytes, which all kernels support.
constexpr std::int64_t kMaxUnusedStride = std::int64_t{1} << 27;

/// Returns whether both are the same tensor of the program, even if their addresses differ.
inline bool is_same_tensor(const Tensor& first, const Tensor& second) {
  return first.handle && first.handle == second.handle && first.description == second.description;
}

/// The addresses from the first element of a view to the end of the last one.
struct ByteSpan {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};
ByteSpan span_of(const Tensor& tensor);

/// Throws 161002 unless the tensor can be an operand: rank <= 8, sizes and strides not negative, address a multiple of
/// the element size. `name` is the argument's name.
void check_view(const Tensor& tensor, const char* name);

/// Returns the tensor itself, or a copy in which long strides that no element uses are 0: those of dims of one element,
/// and all of an empty tensor. Kernels need not support them then.
TensorPtr without_unused_strides(TensorPtr tensor);

/// Returns whether both views have the same shape and the same elements at the same addresses.
bool is_same_view(const Tensor& first, const Tensor& second);

/// Returns whether a tensor is row-major without gaps. Strides of dims of size 1 do not matter.
bool is_contiguous(const Tensor& tensor);

/// Returns whether the views are known to share elements. Strided views with gaps may interleave without sharing any;
/// an exact test is expensive, so these count as disjoint.
bool share_elements(const Tensor& first, const Tensor& second);

/// Throws 161002 when elements of `out` share memory with each other.
void check_distinct(const Tensor& out, const char* out_name);
/// Throws 161002 when the tensors overlap, unless both are the same view (an in-place operator).
void check_overlap(const Tensor& out, const char* out_name, const Tensor& input, const char* input_name);

}  // namespace aclvk::ops
