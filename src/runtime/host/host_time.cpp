#include "runtime/host/host_time.hpp"

#include <chrono>

namespace aclvk::runtime {

std::int64_t host_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

}  // namespace aclvk::runtime
