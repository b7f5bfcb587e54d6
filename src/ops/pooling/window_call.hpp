#pragma once

#include <cstdint>
#include <string_view>

#include "ops/kernel/bounded_loop.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/shape/windows.hpp"

namespace aclvk::ops {

/// The kind of windows: kPlacement of shaders/pooling/windows.glsl.
enum class Placement : std::uint32_t {
  kMoving = 0,    ///< windows of one size, a step apart
  kAdaptive = 1,  ///< adaptive windows, whose sizes differ; Window::size is an upper bound
};

/// Windows over the last dims of x, for shaders that include pooling/windows.glsl.
struct WindowWalk {
  Windows windows;
  Placement placement = Placement::kMoving;
};

/// Returns whether to pool one dim after the other, so that a window of n by m elements costs n + m reads: if a window
/// has too many elements for a thread, or the estimate of all reads is less than half.
bool use_separable(const WindowWalk& walk, const Shape& x, const Shape& out);

/// The most elements of a one-dimensional window that one thread visits.
constexpr std::int64_t kMaxLineWindow = (kMaxIterations - 3) * kMaxUnroll;

/// A call of such a shader, with the arguments of windows.glsl and its first two operands; the caller appends the
/// shader's own. x has the rank of the result, and the same sizes before the window dims.
class WindowCall {
 public:
  WindowCall(std::string_view name, std::string_view shader, const WindowWalk& walk, DType promoted, const Tensor& x,
             const Tensor& out);
  WindowCall(const WindowCall&) = delete;
  WindowCall& operator=(const WindowCall&) = delete;

  StridedCall call;  ///< refers to the strides below, so that a WindowCall must outlive it

 private:
  Shape steps_;    ///< strides of x, 0 along window dims
  Shape numbers_;  ///< strides that number the window positions
};

}  // namespace aclvk::ops
