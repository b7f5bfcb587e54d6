#pragma once

#include <chrono>
#include <cstdint>

#include "runtime/task/task.hpp"

namespace aclvk::runtime {

// Time limits of the process (runtime-semantics 11): for the execution of one task on the device, and for a stream's
// wait for an event.

/// A task limit is 1 to 254 of these steps; programs read the step with aclrtGetOpTimeOutInterval.
constexpr std::chrono::microseconds kTaskLimitStep{4295276};

/// Rounds up to a multiple of the step; 0 and everything above 254 steps become 254 steps. Returns the new limit.
std::chrono::microseconds set_task_limit(std::chrono::microseconds wanted);
std::chrono::microseconds task_limit();

/// The limit of event waits that set none of their own; 0 means no limit.
void set_default_wait_limit(WaitLimit limit);
WaitLimit default_wait_limit();

}  // namespace aclvk::runtime
