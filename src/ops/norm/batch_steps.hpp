#pragma once

#include "ops/norm/channel_map.hpp"
#include "ops/tensor_parameters.hpp"

namespace aclvk::ops {

// What normalisations of channels are made of.

/// x as (images, channels, places).
struct BatchSizes {
  std::int64_t images = 0;
  std::int64_t channels = 0;
  std::int64_t places = 1;

  explicit BatchSizes(const Shape& shape);
  std::int64_t of_channel() const { return images * places; }
};

/// x has a batch and channels, and at most eight dims (161002).
void check_batch(const TensorParameters& tensors, TensorParameters::ParamId x);
/// Each has an element for each channel of x, unless it was left out (161002).
void check_channels(const TensorParameters& tensors, TensorParameters::ParamId x,
                    std::initializer_list<TensorParameters::ParamId> places);

/// The mean of each channel of x, and the variance, to which nothing is added and which is over all elements.
Kernels batch_moment_kernels(const char* name, const Tensor& x, const Tensor& variance, const Tensor& mean,
                             runtime::Execution execution, Staging& staging);

/// running = (1 - momentum) * running + momentum * factor * statistic
Kernels running_kernels(const char* name, const Tensor& running, const Tensor& statistic, double momentum,
                        double factor);
/// 1 / sqrt(variance + epsilon)
Kernels deviation_kernels(const char* name, const Tensor& variance, double epsilon, const Tensor& out);

/// A statistic with an element for each channel: a group of one channel each.
ChannelStatistic of_channels(const Tensor& statistic);

/// Sums over the images and places of row-major tensors.
GradientSums batch_sums(const char* name, const Tensor& dy, const Tensor& x, runtime::Execution execution);
/// Factors of one image, for groups of one channel; statistics and tensors are left to say.
ChannelFactors batch_factors(const char* name, const BatchSizes& sizes, std::uint32_t parts,
                             runtime::Execution execution);
/// The map of row-major tensors, either of which may be null.
ChannelMap batch_map(const char* name, const Tensor* dy, const Tensor* x, runtime::Execution execution);

/// The tensor itself where a kernel can write floats to it, or one in the workspace.
Tensor float_channels(const Tensor* tensor, std::int64_t channels, Staging& staging);

}  // namespace aclvk::ops
