#include "runtime/event/event_time.hpp"

#include <chrono>
#include <memory>

#include "runtime/stream/scheduler.hpp"

namespace aclvk::runtime {

std::int64_t host_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

std::int64_t reached_ns(const EventPtr& event) {
  PointPtr point;
  {
    const SchedulerLock lock;
    point = event->last_point();
    // The work before the record was dropped: it is reached, but no device has seen it. The first look counts, for
    // good.
    if (!point->time && point->host_time_ns < 0) point->host_time_ns = host_ns();
  }
  // The driver is not asked under the lock: some wait for their other work first.
  return point->time ? point->time->read().front() : point->host_time_ns;
}

}  // namespace aclvk::runtime
