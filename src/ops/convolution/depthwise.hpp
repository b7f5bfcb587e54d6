#pragma once

#include <optional>

#include "ops/convolution/rows.hpp"

namespace aclvk::ops {

/// A convolution whose channels do not meet. `weight` is row-major; `bias`, (C, results of a channel), may be missing;
/// `output` is (N, C, results of a channel, ...).
Kernels depthwise_kernels(const char* name, const WindowRows& rows, const Tensor& weight,
                          const std::optional<Tensor>& bias, const Tensor& output);

/// Whether that is worth it: threads have most of eight places to make. The output must reach over less than 4 GiB, and
/// a thread can visit the whole window.
bool suits_rows(const WindowRows& rows, const Tensor& output);

}  // namespace aclvk::ops
