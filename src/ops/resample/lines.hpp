#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ops/executor/operator.hpp"
#include "ops/kernel/staging.hpp"
#include "ops/shape/windows.hpp"

namespace aclvk::ops {

// Separable linear resampling: average pooling, interpolation, and the gradients of these, of padding and of im2col. A
// line is a linear map between vectors of `inputs` and of `outputs` elements, applied along one dim. Each line is a
// kernel, with floats between kernels (doubles for doubles), so that a window of n by m elements costs n + m reads.

/// The inputs that an output o reads, and their weights: kMap of shaders/resample/line.comp.
enum class LineMap : std::uint32_t {
  kWindow = 0,           ///< average pooling: windows of one size, a step apart
  kAdaptive = 1,         ///< adaptive average pooling
  kNearest = 2,          ///< input floor((o + offset) * scale)
  kLinear = 3,           ///< two neighbours
  kCubic = 4,            ///< four neighbours, Keys' cubic kernel with a = -0.75; indices are clamped
  kAntialiasLinear = 5,  ///< triangle filter of support max(scale, 1), normalised
  kAntialiasCubic = 6,   ///< Keys' cubic kernel with a = -0.5 of support 2 * max(scale, 1), normalised
  kReplicate = 7,        ///< replication padding: input o - before, clamped
  kReflect = 8,          ///< reflection padding; adjoint only
  kCircular = 9,         ///< circular padding; adjoint only
  kCol2im = 10,  ///< col2im: sums x[tap, position] over the windows that cover an output; positions are the inputs
};

/// The divisor of a window along its dim: none, all of the window with padding, or its elements inside the input.
enum class LineDivisor : std::uint32_t { kNone = 0, kWindow = 1, kInside = 2 };

/// The coordinate transform from outputs to inputs: o * scale, (o + 0.5) * scale - 0.5, or the one that maps the first
/// and last elements onto each other.
enum class LineOrigin : std::uint32_t { kAsymmetric = 0, kHalfPixel = 1, kAlignCorners = 2 };

/// A linear map along a dim of the result. Forward it maps `inputs` elements to `outputs`; the adjoint (transpose) maps
/// back, which is the gradient.
struct Line {
  std::size_t dim = 0;
  LineMap map = LineMap::kWindow;
  bool adjoint = false;
  std::int64_t inputs = 1;
  std::int64_t outputs = 1;
  double scale = 1;  ///< inputs from one output to the next
  LineOrigin origin = LineOrigin::kAsymmetric;
  Window window{};
  LineDivisor divisor = LineDivisor::kNone;
  std::size_t tap_dim = 0;  ///< for kCol2im: the dim of x that numbers the window's elements, which out does not have

  std::int64_t length() const { return adjoint ? inputs : outputs; }
};

/// out = factor * x with all lines applied, in this order. Both are real tensors of the same rank, except for kCol2im.
Kernels line_kernels(const char* name, Staging& staging, const Tensor& x, const Tensor& out,
                     const std::vector<Line>& lines, double factor = 1);

}  // namespace aclvk::ops
