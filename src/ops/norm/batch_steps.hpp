#pragma once

#include "ops/executor/tensor_parameters.hpp"
#include "ops/norm/channel_map.hpp"

namespace aclvk::ops {

// The steps that batch normalisations and their gradients share.

/// The sizes of x, seen as (images, channels, spatial elements).
struct BatchSizes {
  std::int64_t images = 0;
  std::int64_t channels = 0;
  std::int64_t spatial_size = 1;

  explicit BatchSizes(const Shape& shape);
  std::int64_t of_channel() const { return images * spatial_size; }
};

/// 161002 unless x has dims for the batch and for channels.
void check_batch(const TensorParameters& tensors, TensorParameters::ParamId x);
/// 161002 unless each parameter that was given has one element a channel of x.
void check_channels(const TensorParameters& tensors, TensorParameters::ParamId x,
                    std::initializer_list<TensorParameters::ParamId> params);

/// Writes the mean and the biased variance of each channel.
Kernels batch_moment_kernels(const char* name, const Tensor& x, const Tensor& variance, const Tensor& mean,
                             runtime::Execution execution, Staging& staging);

/// running = (1 - momentum) * running + momentum * factor * statistic, in place
Kernels running_kernels(const char* name, const Tensor& running, const Tensor& statistic, double momentum,
                        double factor);
/// out = 1 / sqrt(variance + epsilon)
Kernels deviation_kernels(const char* name, const Tensor& variance, double epsilon, const Tensor& out);

/// Returns a statistic with one element a channel, for groups of one channel.
ChannelStatistic of_channels(const Tensor& statistic);

/// Returns the sums over images and spatial elements of row-major tensors.
GradientSums batch_sums(const char* name, const Tensor& dy, const Tensor& x, runtime::Execution execution);
/// Returns factors without images, for groups of one channel. The caller sets statistics and tensors.
ChannelFactors batch_factors(const char* name, const BatchSizes& sizes, std::uint32_t flags,
                             runtime::Execution execution);
/// Returns the map of row-major tensors, either of which may be null.
ChannelMap batch_map(const char* name, const Tensor* dy, const Tensor* x, runtime::Execution execution);

/// Returns the tensor itself if it is a contiguous FLOAT vector, else one in the workspace.
Tensor float_channels(const Tensor* tensor, std::int64_t channels, Staging& staging);

}  // namespace aclvk::ops
