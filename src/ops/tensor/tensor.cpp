#include "ops/tensor/tensor.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"

namespace aclvk::ops {
namespace {

/// Returns whether no two indices of the view address the same element: with dims sorted by stride, each stride has to
/// be larger than the extent of all smaller dims. Sufficient, and also necessary for views that slicing, permuting and
/// expanding produce.
bool has_distinct_elements(const Tensor& tensor) {
  InlineVector<std::size_t, kMaxRank> order(tensor.shape.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return tensor.strides[a] < tensor.strides[b]; });
  std::int64_t reach = 0;
  for (const std::size_t dim : order) {
    if (tensor.shape[dim] <= 1) continue;
    if (tensor.strides[dim] <= reach) return false;
    reach += (tensor.shape[dim] - 1) * tensor.strides[dim];
  }
  return true;
}

/// Returns whether every byte of the span belongs to an element.
bool is_dense(const Tensor& tensor) {
  const ByteSpan span = span_of(tensor);
  return has_distinct_elements(tensor) &&
         span.end - span.begin == static_cast<std::uint64_t>(tensor.elements()) * size_of(tensor.dtype);
}

void check_span(const Tensor& tensor, const char* name) {
  check(tensor.offset >= -kMaxElements && tensor.offset <= kMaxElements, Code::kNnInvalid,
        "{} has offset {}; no memory has so many elements.", name, tensor.offset);
  if (tensor.empty()) return;
  // Subtracts from a limit instead of adding up, because the sum of untested strides may overflow.
  std::int64_t left = kMaxElements;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    const std::int64_t steps = tensor.shape[i] - 1;
    check(steps == 0 || tensor.strides[i] <= left / steps, Code::kNnInvalid,
          "{} has shape {} and strides {}; no memory has so many elements.", name, tensor.shape, tensor.strides);
    left -= steps * tensor.strides[i];
  }
}

}  // namespace

ByteSpan span_of(const Tensor& tensor) {
  const auto begin = reinterpret_cast<std::uintptr_t>(tensor.address());
  if (tensor.empty()) return {begin, begin};
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    last += static_cast<std::uint64_t>(tensor.shape[i] - 1) * static_cast<std::uint64_t>(tensor.strides[i]);
  }
  // Two elements are in a byte, and an odd offset begins in the middle of one.
  if (is_four_bit(tensor.dtype)) {
    return {begin, begin + (last + static_cast<std::uint64_t>(tensor.offset % 2) + 2) / 2};
  }
  return {begin, begin + (last + 1) * size_of(tensor.dtype)};
}

void check_view(const Tensor& tensor, const char* name) {
  check(tensor.shape.size() <= kMaxRank, Code::kNnInvalid, "{} has {} dimensions; at most {} are supported.", name,
        tensor.shape.size(), kMaxRank);
  element_count(tensor.shape);
  for (const std::int64_t stride : tensor.strides) {
    check(stride >= 0, Code::kNnInvalid, "{} has strides {}; negative strides are not supported.", name,
          tensor.strides);
  }
  check_span(tensor, name);
  const auto address = reinterpret_cast<std::uintptr_t>(tensor.address());
  const std::size_t bytes = std::max<std::size_t>(size_of(tensor.dtype), 1);
  check(address % bytes == 0, Code::kNnInvalid, "{} starts at {:#x}; elements of dtype {} need a multiple of {}.", name,
        address, tensor.dtype, bytes);
}

TensorPtr without_unused_strides(TensorPtr tensor) {
  if (!tensor) return tensor;
  const bool empty = tensor->empty();
  const auto is_unused = [&](std::size_t dim) {
    return (empty || tensor->shape[dim] == 1) && tensor->strides[dim] > kMaxUnusedStride;
  };
  std::shared_ptr<Tensor> changed;
  for (std::size_t dim = 0; dim < tensor->shape.size(); ++dim) {
    if (!is_unused(dim)) continue;
    if (!changed) changed = std::make_shared<Tensor>(*tensor);
    changed->strides[dim] = 0;
  }
  return changed ? changed : tensor;
}

bool is_same_view(const Tensor& first, const Tensor& second) {
  if (first.address() != second.address() || first.shape != second.shape) return false;
  if (size_of(first.dtype) != size_of(second.dtype)) return false;
  for (std::size_t i = 0; i < first.shape.size(); ++i) {
    if (first.shape[i] > 1 && first.strides[i] != second.strides[i]) return false;
  }
  return true;
}

bool is_contiguous(const Tensor& tensor) {
  std::int64_t step = 1;
  for (std::size_t i = tensor.shape.size(); i-- > 0;) {
    if (tensor.shape[i] > 1 && tensor.strides[i] != step) return false;
    step *= std::max<std::int64_t>(tensor.shape[i], 1);
  }
  return true;
}

bool share_elements(const Tensor& first, const Tensor& second) {
  const ByteSpan one = span_of(first);
  const ByteSpan other = span_of(second);
  if (one.end <= other.begin || other.end <= one.begin) return false;
  if (first.empty() || second.empty()) return false;
  // Two views with gaps may interleave without a common element, so only dense ones are known to meet
  // (docs/adr/0010).
  return is_same_view(first, second) || (is_dense(first) && is_dense(second));
}

void check_distinct(const Tensor& out, const char* out_name) {
  if (out.empty()) return;
  check(has_distinct_elements(out), Code::kNnInvalid,
        "{} has shape {} and strides {}; several of its elements share memory, so it cannot be written.", out_name,
        out.shape, out.strides);
}

void check_overlap(const Tensor& out, const char* out_name, const Tensor& input, const char* input_name) {
  if (!share_elements(out, input) || is_same_view(out, input)) return;
  const ByteSpan written = span_of(out);
  const ByteSpan read = span_of(input);
  fail(Code::kNnInvalid,
       "{} ({:#x} to {:#x}) partly overlaps {} ({:#x} to {:#x}); they must be the same view or apart.", out_name,
       written.begin, written.end, input_name, read.begin, read.end);
}

}  // namespace aclvk::ops
