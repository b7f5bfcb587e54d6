#pragma once

#include <cstdint>

#include "ops/kernel/kernels.hpp"

namespace aclvk::ops {

// The host's half of shaders/common/bounded_loop.glsl: keeps a thread's loops below kMaxIterations.

/// The unroll factor of loops that would take too many iterations of one element each.
constexpr std::uint32_t kMaxUnroll = 16;

/// kUnroll of loops that take `iterations` in all when each handles one element. Returns 0 when kMaxUnroll elements an
/// iteration are not enough either.
constexpr std::uint32_t unroll_factor(std::int64_t iterations) {
  if (iterations <= kMaxIterations) return 1;
  return iterations <= kMaxIterations * kMaxUnroll ? kMaxUnroll : 0;
}

}  // namespace aclvk::ops
