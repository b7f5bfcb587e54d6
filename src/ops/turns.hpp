#pragma once

#include <cstdint>

#include "ops/operator.hpp"

namespace aclvk::ops {

// What kernels have in their loops so that a thread takes at most kMostTurns: the host's half of
// shaders/common/turns.glsl.

/// How many a turn takes where one each would be too many turns.
constexpr std::uint32_t kManyAtOnce = 16;

/// kAtOnce of loops that take `turns` turns in all with one each; 0 where many do not suffice either.
constexpr std::uint32_t taken_at_once(std::int64_t turns) {
  if (turns <= kMostTurns) return 1;
  return turns <= kMostTurns * kManyAtOnce ? kManyAtOnce : 0;
}

}  // namespace aclvk::ops
