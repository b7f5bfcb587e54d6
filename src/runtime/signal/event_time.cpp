#include "runtime/signal/event_time.hpp"

#include <memory>

#include "runtime/host/host_time.hpp"
#include "runtime/stream/scheduler.hpp"

namespace aclvk::runtime {

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
