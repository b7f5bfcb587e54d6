#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"
#include "ops/executor/operator.hpp"
#include "ops/kernel/staging.hpp"

namespace aclvk::ops {

// FRACTAL_Z: a convolution's weight (Cout, C, H, W) in blocks of 16 x 16. Its storage shape is (C / 16 * H * W, Cout /
// 16, 16, 16), rounded up: each 16 channels have their taps one after the other, and a block has a row for each of 16
// output channels. The view shape is that of the weight.

constexpr int kFractalZ = 4;  ///< ACL_FORMAT_FRACTAL_Z

/// Returns whether the tensor has the format.
bool is_fractal_z(const Tensor& tensor);

/// Checks that a FRACTAL_Z tensor has this storage shape (161002). Accepts tensors of other formats.
void check_fractal_z(const Tensor& tensor, const char* name);

/// Returns the weight, or for FRACTAL_Z a contiguous copy in the workspace, made by kernels that are added to `before`.
Tensor as_weight(const char* name, const Tensor& tensor, Staging& staging, Kernels& before);

}  // namespace aclvk::ops
