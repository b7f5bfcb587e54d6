#pragma once

#include <cstdint>

#include "runtime/event.hpp"
#include "runtime/stream.hpp"

namespace aclvk::runtime {

// When events were reached, on the host's monotonic clock. Noted by the device's watcher, so a time is late by a
// thread's wake-up (tens of microseconds). All functions take the scheduler's lock themselves.

/// Notes when the record that was just issued on the stream is reached.
void note_time(const EventPtr& event, Stream& stream);
/// Forgets an event that has been destroyed.
void forget_time(const Event& event);
/// Nanoseconds since the start of the clock; an event without a note gets the present time, for good.
std::int64_t reached_ns(const EventPtr& event);

}  // namespace aclvk::runtime
