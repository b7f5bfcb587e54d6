#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"
#include "ops/operator.hpp"
#include "ops/staging.hpp"

namespace aclvk::ops {

// FRACTAL_Z: a weight (Cout, C, H, W) of a convolution in blocks of 16 x 16. Its storage shape is (C / 16 * H * W,
// Cout / 16, 16, 16), rounded up: for each 16 channels the places of the window follow each other, a block has a row
// for each of 16 results. The view shape is that of the weight.

constexpr int kFractalZ = 4;  ///< ACL_FORMAT_FRACTAL_Z

bool is_fractal_z(const Tensor& tensor);

/// That the storage shape of a tensor of that format is as said (161002). Others are fine.
void check_fractal_z(const Tensor& tensor, const char* name);

/// The weight, or one without gaps in the workspace that the kernels added to `before` make of blocks.
Tensor as_weight(const char* name, const Tensor& tensor, Staging& staging, Kernels& before);

/// aclnnTransConvolutionWeight: weightIn in the blocks of weightOut, whose memory has room for them. What fills up
/// blocks is 0. The tensor behind weightOut has that format from the first phase on.
std::shared_ptr<Executor> plan_convolution_weight(const void* weight, bool transposed, std::int64_t groups,
                                                  const void* out);

}  // namespace aclvk::ops
