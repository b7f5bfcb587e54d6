#pragma once

#include <cstdint>

#include "ops/shape/windows.hpp"

namespace aclvk::ops {

/// A phase of a transposed convolution, along one dim: the output positions that are `remainder` modulo the stride.
/// They see every `period`-th tap, the last one first, and so are a plain convolution of the input.
struct Phase {
  std::int64_t remainder = 0;
  std::int64_t positions = 0;  ///< of the output
  Window window{};             ///< over the input; its size may be 0
  std::int64_t first = 0;
  std::int64_t last_tap = 0;  ///< the tap that the first element of `window` is
  std::int64_t period = 1;
};

/// Returns a phase. `window` is that of the transposed convolution, `size` that of its output.
Phase phase_of(const Window& window, std::int64_t remainder, std::int64_t size);

}  // namespace aclvk::ops
