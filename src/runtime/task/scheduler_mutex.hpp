#pragma once

#include <type_traits>

#include "base/fair_mutex.hpp"

namespace aclvk::runtime {

/// The scheduler lock: guards the tasks of all streams and what they signal (docs/adr/0003). A SchedulerLock
/// (runtime/stream/scheduler.hpp) holds it during a call.
inline FairMutex scheduler_mutex;

// Streams that the program has not destroyed use it while the process exits.
static_assert(std::is_trivially_destructible_v<FairMutex>);

}  // namespace aclvk::runtime
