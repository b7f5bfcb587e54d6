#pragma once

#include <cstdint>
#include <string_view>

#include "ops/bounded_loop.hpp"
#include "ops/shape/windows.hpp"
#include "ops/strided.hpp"

namespace aclvk::ops {

/// How the elements of a result belong to windows over x: kPlaces of shaders/pooling/windows.glsl.
enum class Placement : std::uint32_t {
  kMoving = 0,    ///< a window of one size moves in steps
  kAdaptive = 1,  ///< windows share out x; only the size of the largest is said
};

/// Windows over the last dims of x, for shaders that include pooling/windows.glsl.
struct WindowWalk {
  Windows windows;
  Placement placement = Placement::kMoving;
};

/// Whether windows go along one dim after the other, so that one of n by m elements costs n + m of them: they are many
/// for a thread, or more than the places between.
bool goes_along_dims(const WindowWalk& walk, const Shape& x, const Shape& out);

/// The most elements of a window along one dim, if there is no other, that a thread takes.
constexpr std::int64_t kMostOfALine = (kMaxIterations - 3) * kMaxUnroll;

/// The call of such a shader: with the arguments of windows.glsl and its first two operands. The shader's own are added
/// to `call`. x has as many dims as the result; those before the windows' are the same for both.
class WindowCall {
 public:
  WindowCall(std::string_view name, std::string_view shader, const WindowWalk& walk, DType promoted, const Tensor& x,
             const Tensor& out);
  WindowCall(const WindowCall&) = delete;
  WindowCall& operator=(const WindowCall&) = delete;

  StridedCall call;

 private:
  Shape steps_;
  Shape numbers_;
};

}  // namespace aclvk::ops
