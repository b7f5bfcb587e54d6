#pragma once

#include <cstdint>
#include <vector>

#include "base/inline_vector.hpp"
#include "ops/operator.hpp"

namespace aclvk::ops {

// Windows that move over an image: columns of it, pooling, convolutions.

/// A window along one dim. Its elements are `dilation` apart, its places `step`; the first place begins `before`
/// elements before the image, and it may reach `after` elements behind it.
struct Window {
  std::int64_t size = 1;
  std::int64_t step = 1;
  std::int64_t before = 0;
  std::int64_t after = 0;
  std::int64_t dilation = 1;

  /// From its first element to behind its last.
  std::int64_t reach() const { return dilation * (size - 1) + 1; }
  /// How many places it has; 0 or less where there is none.
  std::int64_t output_size(std::int64_t length) const;
  /// The same where a last one may reach further, if it begins within the image or before it.
  std::int64_t output_size_ceil(std::int64_t length) const;
};

/// Through which elements of a window its places can see one element: every `period`-th from a first one on, as
/// shaders/common/covering.glsl finds it.
struct Covering {
  std::int64_t divisor = 1;  ///< of step and dilation
  std::int64_t period = 1;
  std::int64_t inverse = 0;  ///< of dilation / divisor, modulo period
  std::int64_t most = 0;     ///< how many there are at most
};
Covering covering_of(const Window& window, std::int64_t places);

/// Along each of the spatial dims, outermost first.
constexpr std::size_t kMaxSpatialDims = 3;
using Windows = InlineVector<Window, kMaxSpatialDims>;

/// The values of an attribute, one for each dim: of an array of so many or of one that counts for all. Each is at least
/// `least` and below 2^30 (161002).
using WindowValues = InlineVector<std::int64_t, kMaxSpatialDims>;
WindowValues window_values(const std::vector<std::int64_t>& array, const char* name, std::size_t dims,
                           std::int64_t least);

/// The elements of 0 that lie before and behind an image along each dim: one for each dim or one for all, as above, or
/// two for each dim, the one before it first.
struct WindowPads {
  WindowValues before;
  WindowValues after;
};
WindowPads window_pads(const std::vector<std::int64_t>& array, const char* name, std::size_t dims);

/// The padded image as a window sees it: its dim becomes the place in the window and the window's place.
Tensor windows_of(const Tensor& image, std::size_t dim, const Window& window, std::int64_t places);

/// Writes `to`, a part of the image that may reach beyond it: along the last dims it begins at `first` of the image.
/// What lies outside is 0.
Kernels crop_kernels(const char* name, const Tensor& to, const Tensor& image, const WindowValues& first);

/// Tensors of images are (N, C, ...), whatever format says; what says that channels come last is refused (161002).
void check_channels_first(const Tensor& tensor, const char* name);

}  // namespace aclvk::ops
