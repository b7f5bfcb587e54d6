#pragma once

#include <cstdint>

#include "ops/executor/operator.hpp"
#include "ops/kernel/rows.hpp"
#include "ops/kernel/staging.hpp"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {

// The sums that gradients of normalisations need. x is (images, channels, spatial_size); channels form groups; a mean
// and a scale (1 / standard deviation) belong to an image, to a group of channels, or to both.

/// A mean or a scale with its strides. A null tensor stands for none.
struct ChannelStatistic {
  const Tensor* tensor = nullptr;
  std::int64_t of_image = 0;  ///< stride from image to image; likewise the others
  std::int64_t of_group = 0;
  std::int64_t of_channel = 0;
};

/// The operands and sizes of these sums. Null for a mean or a scale that the normalisation does not have.
struct GradientSums {
  const char* name;  ///< the operator's C name; a string literal
  runtime::Execution execution;
  const Tensor* dy = nullptr;  ///< row-major, like x
  const Tensor* x = nullptr;
  std::int64_t images = 0;
  std::int64_t groups = 1;
  std::int64_t channels = 0;  ///< of a group
  std::int64_t spatial_size = 1;
  ChannelStatistic mean{};
  ChannelStatistic scale{};  ///< 1 / standard deviation
  bool variance = false;     ///< `scale` holds the variance instead
  double epsilon = 0;        ///< added to the variance

  bool empty() const { return images * groups * channels * spatial_size == 0; }
};

/// For each image and channel: the sum of dy over the spatial elements, and that of dy * (x - mean) * scale (the
/// gradients of beta and gamma). Outputs are row-major floats.
Kernels image_sum_kernels(const GradientSums& call, const Tensor& sums, const Tensor& products);

/// Sums gradients for each channel over images and spatial elements, for one group. Outputs have one element a channel,
/// in any contiguous shape; null skips one. Chunks are summed in a fixed order, so that results are reproducible.
Kernels channel_sum_kernels(const GradientSums& call, const Tensor* sums, const Tensor* products, Staging& staging);

/// Sums `partial`, (images, ...), over images into `out`; nothing if that is null.
Kernels sum_of_images_kernels(const GradientSums& call, const Tensor& partial, const Tensor* out, Staging& staging);

}  // namespace aclvk::ops
