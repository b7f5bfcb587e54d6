#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ops/operator.hpp"
#include "ops/shape/windows.hpp"
#include "ops/staging.hpp"

namespace aclvk::ops {

// Tensors resampled along one dim after the other: poolings by means, interpolations, and the gradients of these and of
// paddings. Each dim is a kernel, with floats between them (doubles for doubles), so that a window of n by m elements
// costs n + m of them and is rounded once.

/// Which elements the places of a line read, and with which weights: kMap of shaders/resample/line.comp.
enum class LineMap : std::uint32_t {
  kWindow = 0,           ///< a window that moves in steps
  kAdaptive = 1,         ///< windows that share out the elements: means
  kNearest = 2,          ///< floor((o + offset) * scale)
  kLinear = 3,           ///< two neighbours
  kCubic = 4,            ///< four, with Keys' kernel and a = -0.75; beyond the ends as at the ends
  kAntialiasLinear = 5,  ///< a filter as wide as the step between places: antialiased linear
  kAntialiasCubic = 6,   ///< the same with Keys' kernel and a = -0.5
  kReplicate = 7,        ///< o - before, at the nearest end where that is outside: replication
  kReflect = 8,          ///< only adjoint, as are the rest
  kCircular = 9,
  kCol2im = 10,  ///< sums x[tap, place] over a window's elements at each of its places, which are the inputs
};

/// What a window divides its elements' sum by, along its dim.
enum class LineDivisor : std::uint32_t { kNone = 0, kWindow = 1, kInside = 2 };

/// Where the middle of an element is: kHalfPixel adds a half before scaling; with kAlignCorners the first and the last
/// elements of both lines lie at the same places.
enum class LineOrigin : std::uint32_t { kAsymmetric = 0, kHalfPixel = 1, kAlignCorners = 2 };

/// A map between the dims of two tensors; `dim` is that of the result. Forwards a line of `inputs` elements becomes one
/// of `outputs`; the adjoint goes back.
struct Line {
  std::size_t dim = 0;
  LineMap map = LineMap::kWindow;
  bool adjoint = false;
  std::int64_t inputs = 1;
  std::int64_t outputs = 1;
  double scale = 1;  ///< elements from one place to the next
  LineOrigin origin = LineOrigin::kAsymmetric;
  Window window{};
  LineDivisor divisor = LineDivisor::kNone;
  std::size_t tap_dim = 0;  ///< of kCol2im: the dim of x that tells an element of the window, which out has not

  std::int64_t length() const { return adjoint ? inputs : outputs; }
};

/// out = x resampled along all these dims, in this order, times `factor`. Both are real tensors, of the
/// same rank but for kCol2im.
Kernels line_kernels(const char* name, Staging& staging, const Tensor& x, const Tensor& out,
                     const std::vector<Line>& lines, double factor = 1);

}  // namespace aclvk::ops
