#pragma once

#include <cstdint>

#include "ops/shape/windows.hpp"

namespace aclvk::ops {

/// Of a transposed convolution, along one dim: the places of the output that are `remainder` more than a multiple of
/// the step. They see every period-th place of the window, the last one first.
struct Phase {
  std::int64_t remainder = 0;
  std::int64_t positions = 0;  ///< of the output
  Window window{};             ///< that moves over the input; its size may be 0
  std::int64_t first = 0;
  std::int64_t last_tap = 0;  ///< the place of the window that comes first
  std::int64_t period = 1;
};

/// `window` is that of the transposed convolution, `size` of its output.
Phase phase_of(const Window& window, std::int64_t remainder, std::int64_t size);

}  // namespace aclvk::ops
