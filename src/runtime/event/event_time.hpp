#pragma once

#include <cstdint>

#include "runtime/event/event.hpp"

namespace aclvk::runtime {

/// When the last record of an event was reached, in nanoseconds. The device writes it down at the end of the work
/// before the record; where a device has no timestamps its watcher notes the host's time, tens of microseconds late.
/// Moments of one device differ by exactly what its clock says; those of several, and the host's steady clock, lie on
/// about one axis. The event has been reached. Takes the scheduler's lock itself.
std::int64_t reached_ns(const EventPtr& event);

/// The host's steady clock.
std::int64_t host_ns();

}  // namespace aclvk::runtime
