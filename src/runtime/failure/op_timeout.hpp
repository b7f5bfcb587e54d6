#pragma once

#include <chrono>
#include <cstdint>

#include "runtime/stream/task.hpp"

namespace aclvk::runtime {

// How long one task may run on the device, and how long a stream waits for an event (runtime-semantics 11). Both are
// the process's.

/// Limits for running tasks are multiples of this, 1 to 254 of them.
constexpr std::chrono::microseconds kTaskLimitStep{4295276};

/// Takes the next multiple, the largest one for 0 and for more. The limit that holds from now on.
std::chrono::microseconds set_task_limit(std::chrono::microseconds wanted);
std::chrono::microseconds task_limit();

/// Of waits for events that have no limit of their own; 0 is for ever.
void set_default_wait_limit(WaitLimit limit);
WaitLimit default_wait_limit();

}  // namespace aclvk::runtime
