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
    // A cancelled record is complete without a time from the device. Its time is that of the first query.
    if (!point->time && point->host_time_ns < 0) point->host_time_ns = host_ns();
  }
  // Without the lock: some drivers wait for other submissions before they return query results.
  return point->time ? point->time->read().front() : point->host_time_ns;
}

}  // namespace aclvk::runtime
