#pragma once

#include <cstdint>
#include <optional>

#include "ops/norm/gradient_sums.hpp"

namespace aclvk::ops {

/// Flags of shaders/norm/factors.comp, which says what each does. The flags of gamma and beta follow from the tensors.
enum FactorFlag : std::uint32_t {
  kFactorSums = 2,
  kFactorVariance = 4,
  kFactorForward = 8,
  kFactorUnscaled = 32,
};

/// The coefficients of channel_map_kernels, four planes of floats: (4, images, channels), row-major. Forward they
/// normalise x; with kFactorSums they make the gradient of x from the sums of GradientSums.
struct ChannelFactors {
  const char* name;  ///< the operator's C name; a string literal
  runtime::Execution execution;
  std::uint32_t flags = 0;
  double epsilon = 0;
  double inverse_count = 1;  ///< 1 / elements that share a mean
  std::int64_t images = 1;
  std::int64_t groups = 1;
  std::int64_t channels = 1;     ///< of a group
  const Tensor* sums = nullptr;  ///< sums and products of GradientSums: (images, all channels), row-major
  const Tensor* products = nullptr;
  const Tensor* gamma = nullptr;  ///< one element a channel
  const Tensor* beta = nullptr;   ///< one element a channel; for kFactorForward
  ChannelStatistic mean{};
  ChannelStatistic scale{};
};

Kernels factor_kernels(const ChannelFactors& call, const Tensor& factors);

/// Applies the planes of factors to row-major tensors of (images, channels, spatial_size): dy_factor * dy + x_factor *
/// (x - mean) + constant (shaders/norm/channel_factors.glsl). A null dy or x drops its term.
struct ChannelMap {
  const char* name;
  runtime::Execution execution;
  const Tensor* dy = nullptr;
  const Tensor* x = nullptr;
  std::int64_t images = 0;
  std::int64_t channels = 0;
  std::int64_t spatial_size = 1;
  bool by_image = false;  ///< factors differ between images; else one set serves all images
  /// If set: the gradient of the normalised value n = x_factor * (x - mean) + constant, from dy of n * sigmoid(swish *
  /// n).
  std::optional<double> swish{};
};

Kernels channel_map_kernels(const ChannelMap& call, const Tensor& factors, const Tensor& out);

}  // namespace aclvk::ops
