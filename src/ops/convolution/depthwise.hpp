#pragma once

#include <optional>

#include "ops/convolution/rows.hpp"

namespace aclvk::ops {

/// Returns the kernel of a direct depthwise convolution. `weight` is row-major; `bias`, (C, output channels of a
/// channel), is optional; `output` is (N, C, output channels of a channel, ...).
Kernels depthwise_kernels(const char* name, const WindowRows& rows, const Tensor& weight,
                          const std::optional<Tensor>& bias, const Tensor& output);

/// Returns whether depthwise_kernels() supports and suits the output: its rows fill most of the eight positions of a
/// thread, it spans less than 4 GiB, and a thread can visit the whole window within kMaxIterations iterations.
bool suits_rows(const WindowRows& rows, const Tensor& output);

}  // namespace aclvk::ops
