#pragma once

#include <cstdint>

#include "ops/operator.hpp"
#include "ops/rows.hpp"
#include "ops/staging.hpp"
#include "runtime/device/execution.hpp"

namespace aclvk::ops {

// Gradients of normalisations: x is (images, channels, spatial_size), channels come in groups, and a mean and a scale
// belong to an image, to a group of channels, or to both.

/// A mean or a scale, and how far its elements are apart. Null for what there is none of.
struct ChannelStatistic {
  const Tensor* tensor = nullptr;
  std::int64_t of_image = 0;
  std::int64_t of_group = 0;
  std::int64_t of_channel = 0;
};

struct GradientSums {
  const char* name;  ///< the operator's; a string literal
  runtime::Execution execution;
  const Tensor* dy = nullptr;  ///< row-major, as x
  const Tensor* x = nullptr;
  std::int64_t images = 0;
  std::int64_t groups = 1;
  std::int64_t channels = 0;  ///< of a group
  std::int64_t spatial_size = 1;
  ChannelStatistic mean{};
  ChannelStatistic scale{};  ///< 1 / deviation
  bool variance = false;     ///< what `scale` has is the variance
  double epsilon = 0;        ///< added to that

  bool empty() const { return images * groups * channels * spatial_size == 0; }
};

/// For each image and channel the sum of dy over the spatial_size, and that of dy * (x - mean) * scale, to row-major
/// floats.
Kernels image_sum_kernels(const GradientSums& call, const Tensor& sums, const Tensor& products);

/// The same for each channel, over images and spatial_size, for one group. Outputs have an element for each channel, in
/// any shape without gaps in it; null for one that is not wanted. Parts are summed up in an order that is always the
/// same.
Kernels channel_sum_kernels(const GradientSums& call, const Tensor* sums, const Tensor* products, Staging& staging);

/// `partial`, (images, ...), summed over images into `out`, or into nothing where that is null.
Kernels sum_of_images_kernels(const GradientSums& call, const Tensor& partial, const Tensor* out, Staging& staging);

}  // namespace aclvk::ops
