#pragma once

#include <cstdint>
#include <optional>

#include "ops/norm/gradient_sums.hpp"

namespace aclvk::ops {

/// Parts of shaders/norm/factors.comp, where each is told. Whether there is a gamma or a beta follows from the tensors.
enum FactorFlag : std::uint32_t {
  kFactorSums = 2,
  kFactorVariance = 4,
  kFactorForward = 8,
  kFactorUnscaled = 32,
};

/// The factors with which the elements of a channel become those of its result: (4, images, channels), row-major
/// floats.
struct ChannelFactors {
  const char* name;  ///< the operator's; a string literal
  runtime::Execution execution;
  std::uint32_t flags = 0;
  double epsilon = 0;
  double inverse_count = 1;  ///< 1 / elements that a mean is of
  std::int64_t images = 1;
  std::int64_t groups = 1;
  std::int64_t channels = 1;     ///< of a group
  const Tensor* sums = nullptr;  ///< (images, channels of all groups), row-major
  const Tensor* products = nullptr;
  const Tensor* gamma = nullptr;  ///< one for each channel
  const Tensor* beta = nullptr;   ///< the same, with kFactorForward
  ChannelStatistic mean{};
  ChannelStatistic scale{};
};

Kernels factor_kernels(const ChannelFactors& call, const Tensor& factors);

/// Applies factors to row-major tensors of (images, channels, spatial_size). Null for what the result does not depend
/// on.
struct ChannelMap {
  const char* name;
  runtime::Execution execution;
  const Tensor* dy = nullptr;
  const Tensor* x = nullptr;
  std::int64_t images = 0;
  std::int64_t channels = 0;
  std::int64_t spatial_size = 1;
  bool by_image = false;  ///< factors are those of an image, too; else there are those of one
  /// The result is the gradient of what is normalised, from that of y * sigmoid(swish * y).
  std::optional<double> swish{};
};

Kernels channel_map_kernels(const ChannelMap& call, const Tensor& factors, const Tensor& out);

}  // namespace aclvk::ops
