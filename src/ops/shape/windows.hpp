#pragma once

#include <cstdint>
#include <vector>

#include "base/inline_vector.hpp"
#include "ops/executor/operator.hpp"

namespace aclvk::ops {

// Sliding windows over images, for im2col, pooling and convolutions.

/// A sliding window along one dim: kernel size, stride (`step`), dilation, and the padding before and after the image.
struct Window {
  std::int64_t size = 1;
  std::int64_t step = 1;
  std::int64_t before = 0;
  std::int64_t after = 0;
  std::int64_t dilation = 1;

  /// The elements from the first tap to the last one (the effective kernel size).
  std::int64_t dilated_size() const { return dilation * (size - 1) + 1; }
  /// The number of window positions over an image of this length; 0 or less when there is none.
  std::int64_t output_size(std::int64_t length) const;
  /// The number with ceil_mode: the last window may extend past the padding, but has to start inside of the image or
  /// the padding before it.
  std::int64_t output_size_ceil(std::int64_t length) const;
};

/// The window elements (taps) that read a given input element: every `period`-th from a first one on, which
/// shaders/common/covering.glsl finds.
struct Covering {
  std::int64_t divisor = 1;  ///< the greatest common divisor of step and dilation
  std::int64_t period = 1;
  std::int64_t inverse = 0;  ///< the modular inverse of dilation / divisor modulo period
  std::int64_t most = 0;     ///< the largest number of taps
};
Covering covering_of(const Window& window, std::int64_t positions);

/// Values of spatial dims are ordered outermost first.
constexpr std::size_t kMaxSpatialDims = 3;
using Windows = InlineVector<Window, kMaxSpatialDims>;

/// Reads an attribute with one value per dim, or a single value for all. Throws 161002 unless each is at least `least`
/// and below 2^30.
using WindowValues = InlineVector<std::int64_t, kMaxSpatialDims>;
WindowValues window_values(const std::vector<std::int64_t>& array, const char* name, std::size_t dims,
                           std::int64_t least);

/// The zero padding before and after an image: one value for all dims, one per dim, or two per dim, the one before
/// first.
struct WindowPads {
  WindowValues before;
  WindowValues after;
};
WindowPads window_pads(const std::vector<std::int64_t>& array, const char* name, std::size_t dims);

/// Views a padded image as windows: the dim becomes two, the tap and the window position.
Tensor windows_of(const Tensor& image, std::size_t dim, const Window& window, std::int64_t positions);

/// Copies a crop of the image to `to`, starting at `first` along the last dims. Elements outside of the image are 0.
Kernels crop_kernels(const char* name, const Tensor& to, const Tensor& image, const WindowValues& first);

/// Throws 161002 for a format with channels last: images are (N, C, ...).
void check_channels_first(const Tensor& tensor, const char* name);

}  // namespace aclvk::ops
