#pragma once

#include <cstdint>

#include "runtime/event/event.hpp"

namespace aclvk::runtime {

/// Returns the completion time of the event's last record in nanoseconds. The device writes a timestamp at the end of
/// the work before the record; for a device without timestamps the watcher thread reads the host clock, tens of
/// microseconds late (docs/adr/0022). Differences of times of one device are exact; times of several devices and of
/// host_ns() are comparable approximately. Requires a complete event. Takes the scheduler lock.
std::int64_t reached_ns(const EventPtr& event);

}  // namespace aclvk::runtime
