#pragma once

#include <cstdint>

namespace aclvk::runtime {

/// Returns the time of the host's steady clock in nanoseconds.
std::int64_t host_ns();

}  // namespace aclvk::runtime
