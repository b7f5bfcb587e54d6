#include "ops/convolution/depthwise.hpp"

#include <algorithm>

namespace aclvk::ops {
namespace {

using runtime::Access;

constexpr std::int64_t kFewestPlaces = 5;

/// Whether rows of the output begin at eights, along which it is walked step by step.
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
  for (const Window& window : rows.windows) turns = std::min(turns, kMaxIterations + 1) * (window.size + 2);
  return output.shape.back() >= kFewestPlaces && span.end - span.begin < std::uint64_t{1} << 32 &&
         turns <= kMaxIterations;
}

Kernels depthwise_kernels(const char* name, const WindowRows& rows, const Tensor& weight,
                          const std::optional<Tensor>& bias, const Tensor& output) {
  const std::int64_t lines = output.shape[0] * output.shape[1] * output.shape[2];
  runtime::Kernel kernel = window_row_kernel(name, "convolution/depthwise_f32", rows, lines, has_whole_rows(output));
  const Tensor& summand = bias ? *bias : weight;
  kernel.constants.push_back(static_cast<std::uint32_t>(bias.has_value()));
  for (const Tensor* tensor : {&rows.images, &weight, &summand, &output}) {
    kernel.constants.push_back(static_cast<std::uint32_t>(tensor->dtype));
  }
  const auto add_operand = [&](const Tensor& tensor, Access access) {
    const ByteSpan span = span_of(tensor);
    kernel.operands.push_back({tensor.address(), span.end - span.begin, access});
  };
  add_operand(weight, Access::kRead);
  add_operand(summand, Access::kRead);
  add_operand(output, Access::kWrite);
  add_argument(kernel, output.shape[2]);
  add_argument(kernel, summand.strides.back());
  // The shader has three spatial dims; those that are missing come before the others.
  for (std::size_t dim = 0; dim < 3; ++dim) add_argument(kernel, output.strides[dim]);
  for (std::size_t dim = rows.windows.size(); dim < kMaxSpatialDims; ++dim) add_argument(kernel, 0);
  for (std::size_t dim = 3; dim < output.strides.size(); ++dim) add_argument(kernel, output.strides[dim]);
  return {kernel};
}

}  // namespace aclvk::ops
