#pragma once

#include "runtime/device/execution.hpp"

namespace aclvk::runtime {

/// Returns the properties of the calling thread's current device; the defaults without one.
Execution execution();

}  // namespace aclvk::runtime
