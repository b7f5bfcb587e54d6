#include "ops/convolution/depthwise.hpp"

#include <algorithm>

namespace aclvk::ops {
namespace {

using runtime::Access;

/// With fewer positions most of the eight of a thread would be idle.
constexpr std::int64_t kMinPositions = 5;

/// Returns whether each row of the output is contiguous and aligned for vec8s.
bool has_whole_rows(const Tensor& output) {
  if (output.strides.back() != 1 || !is_aligned_for_vec8(output)) return false;
  for (std::size_t dim = 0; dim + 1 < output.shape.size(); ++dim) {
    if (output.shape[dim] > 1 && output.strides[dim] % 8 != 0) return false;
  }
  return true;
}

}  // namespace

bool suits_rows(const WindowRows& rows, const Tensor& output) {
  const ByteSpan span = span_of(output);
  std::int64_t turns = 1;
  // An upper bound: nested loops multiply, and each also costs the last look at its condition.
  for (const Window& window : rows.windows) turns = std::min(turns, kMaxIterations + 1) * (window.size + 2);
  return output.shape.back() >= kMinPositions && span.end - span.begin < std::uint64_t{1} << 32 &&
         turns <= kMaxIterations;
}

Kernels depthwise_kernels(const char* name, const WindowRows& rows, const Tensor& weight,
                          const std::optional<Tensor>& bias, const Tensor& output) {
  const std::int64_t planes = output.shape[0] * output.shape[1] * output.shape[2];
  runtime::Kernel kernel = window_row_kernel(name, "convolution/depthwise_f32", rows, planes, has_whole_rows(output));
  const Tensor& bias_or_weight = bias ? *bias : weight;
  kernel.constants.push_back(static_cast<std::uint32_t>(bias.has_value()));
  for (const Tensor* tensor : {&rows.images, &weight, &bias_or_weight, &output}) {
    kernel.constants.push_back(static_cast<std::uint32_t>(tensor->dtype));
  }
  const auto add_operand = [&](const Tensor& tensor, Access access) {
    const ByteSpan span = span_of(tensor);
    kernel.operands.push_back({tensor.address(), span.end - span.begin, access});
  };
  add_operand(weight, Access::kRead);
  add_operand(bias_or_weight, Access::kRead);
  add_operand(output, Access::kWrite);
  add_argument(kernel, output.shape[2]);
  add_argument(kernel, bias_or_weight.strides.back());
  // The shader has three spatial dims; missing ones come first.
  for (std::size_t dim = 0; dim < 3; ++dim) add_argument(kernel, output.strides[dim]);
  for (std::size_t dim = rows.windows.size(); dim < kMaxSpatialDims; ++dim) add_argument(kernel, 0);
  for (std::size_t dim = 3; dim < output.strides.size(); ++dim) add_argument(kernel, output.strides[dim]);
  return {kernel};
}

}  // namespace aclvk::ops
