#include "ops/tensor/shape.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"

namespace aclvk::ops {

std::string text_of(const Shape& shape) { return fmt::format("({})", fmt::join(shape, ", ")); }

std::int64_t element_count(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) {
    check(size >= 0, Code::kNnInvalid, "a tensor has shape {}; sizes of 0 or more are expected.", shape);
    const bool fits = size <= kMaxElements && (size == 0 || count <= kMaxElements / size);
    check(fits, Code::kNnInvalid, "a tensor has shape {}; at most 2^40 elements are supported.", shape);
    count *= size;
  }
  return count;
}

Shape contiguous_strides(const Shape& shape) {
  Shape strides(shape.size());
  std::int64_t stride = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    // Empty dims count as 1, as in PyTorch. Sizes may still be unchecked here, so the product may overflow.
    if (__builtin_mul_overflow(stride, std::max<std::int64_t>(shape[i], 1), &stride)) stride = 0;
  }
  return strides;
}

std::optional<Shape> broadcast(const Shape& first, const Shape& second) {
  const Shape& longer = first.size() >= second.size() ? first : second;
  const Shape& shorter = first.size() >= second.size() ? second : first;
  Shape result = longer;
  // Shapes are aligned at their last dims.
  const std::size_t shift = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    std::int64_t& size = result[shift + i];
    if (size == 1) size = shorter[i];
    if (shorter[i] != 1 && shorter[i] != size) return std::nullopt;
  }
  return result;
}

Shape broadcast_strides(const Shape& shape, const Shape& strides, const Shape& target) {
  Shape result(target.size(), 0);
  const std::size_t shift = target.size() - shape.size();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 1) continue;
    check(shift + i < target.size(), Code::kNnInner, "Shape {} does not broadcast to {}.", shape, target);
    result[shift + i] = strides[i];
  }
  return result;
}

}  // namespace aclvk::ops
