#include "ops/convolution/depthwise.hpp"

#include <algorithm>

#include "convolution/depthwise.args.h"
#include "ops/kernel/kernel_builder.hpp"
#include "ops/kernel/operand.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(DepthwiseArguments, DEPTHWISE_ARGUMENTS);
CONSTANT_STRUCT(DepthwiseConstants, DEPTHWISE_CONSTANTS);

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
  std::int64_t iterations = 1;
  // An upper bound: nested loops multiply, and each also costs the last look at its condition.
  for (const Window& window : rows.windows) iterations = std::min(iterations, kMaxIterations + 1) * (window.size + 2);
  return output.shape.back() >= kMinPositions && span.end - span.begin < std::uint64_t{1} << 32 &&
         iterations <= kMaxIterations;
}

Kernels depthwise_kernels(const char* name, const WindowRows& rows, const Tensor& weight,
                          const std::optional<Tensor>& bias, const Tensor& output) {
  const std::int64_t planes = output.shape[0] * output.shape[1] * output.shape[2];
  KernelBuilder kernel = window_row_kernel(name, "convolution/depthwise_f32", rows, planes, has_whole_rows(output));
  const Tensor& bias_or_weight = bias ? *bias : weight;
  DepthwiseConstants constants;
  constants.kBias = bias.has_value() ? 1 : 0;
  constants.kDtype0 = static_cast<uint>(rows.images.dtype);
  constants.kDtype1 = static_cast<uint>(weight.dtype);
  constants.kDtype2 = static_cast<uint>(bias_or_weight.dtype);
  constants.kDtype3 = static_cast<uint>(output.dtype);
  kernel.add_constants(constants);
  kernel.add_tensor(weight, Access::kRead);
  kernel.add_tensor(bias_or_weight, Access::kRead);
  kernel.add_tensor(output, Access::kWrite);
  DepthwiseArguments arguments;
  arguments.out_channels = word(output.shape[2]);
  arguments.bias_stride = word(bias_or_weight.strides.back());
  // The shader has three spatial dims; missing ones come first.
  const std::size_t missing = kMaxSpatialDims - rows.windows.size();
  for (std::size_t dim = 0; dim < output.strides.size(); ++dim) {
    arguments.out_strides[dim < 3 ? dim : missing + dim] = word(output.strides[dim]);
  }
  kernel.add_arguments(arguments);
  return {kernel.build()};
}

}  // namespace aclvk::ops
