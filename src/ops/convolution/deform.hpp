#pragma once

#include <cstdint>

#include "ops/kernel/staging.hpp"
#include "ops/shape/windows.hpp"

namespace aclvk::ops {

// Kernels of deformable convolutions, as in Deformable ConvNets v2 (Zhu et al., 2019): each tap of a window moves by an
// offset, the image is sampled there, and a factor scales the sample. shaders/convolution/deform.glsl is the device's
// half.

/// The windows over an image of (N, C, H, W), and its offsets.
struct Deformation {
  const char* name;  ///< the operator's; a string literal
  Windows windows{};
  /// The deformable groups: consecutive channels that share offsets.
  std::int64_t groups = 1;
  Shape positions{};  ///< of the window along H and W

  std::int64_t taps() const { return windows[0].size * windows[1].size; }
};

/// Writes the samples of all taps to `samples`, (N, C, positions * window along H, the same along W): a convolution
/// whose windows have no overlap reads them. `offset` is (N, 3 * groups * taps, positions): a block of offsets along
/// W, one along H, and one of factors.
Kernels sample_kernels(const Deformation& deformation, const Tensor& image, const Tensor& offset,
                       const Tensor& samples);

/// Writes the gradient of the image. `columns` are the gradients of the samples: FLOAT, (N, C, window, positions),
/// contiguous. Sums have a fixed order.
Kernels image_gradient_kernels(const Deformation& deformation, const Tensor& columns, const Tensor& offset,
                               const Tensor& out, Staging& staging);

/// Writes the gradient of `offset`.
Kernels offset_gradient_kernels(const Deformation& deformation, const Tensor& image, const Tensor& columns,
                                const Tensor& offset, const Tensor& out, Staging& staging);

}  // namespace aclvk::ops
