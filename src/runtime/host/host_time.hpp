#pragma once

#include <chrono>
#include <cstdint>

namespace aclvk::runtime {

/// Returns the time of the host's steady clock in nanoseconds.
inline std::int64_t host_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

}  // namespace aclvk::runtime
