#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "runtime/event/event.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::runtime {

// What a program does with events besides giving them to streams, and the rules of creation (runtime-semantics 5 and
// 6).

/// Checks the flags as the maker's rules have it, registers the event and returns its handle. Throws kParamInvalid,
/// kContextNull.
void* create_event(EventMaker maker, std::uint32_t flags);
void destroy_event(void* handle);

/// Records on the stream. An event is used with one kind of records and
/// one of waits for all its life (capture-semantics 7.6); kParamInvalid for the other. The EXTERNAL kind takes events
/// of aclrtCreateEventExWithFlag with exactly SYNC (kFeatureNotSupported) on captured streams (kStreamNotCaptured).
void record_event(const EventPtr& event, Stream& stream, EventUse use = EventUse::kDefault);
void wait_event(const EventPtr& event, Stream& stream, EventUse use = EventUse::kDefault, WaitLimit limit = {});

/// Whether the last record is complete: as aclrtQueryEventStatus, as aclrtQueryEvent, and whether all waits have
/// passed.
bool event_recorded(const EventPtr& event);
bool event_done(const EventPtr& event);
bool event_waits_done(const EventPtr& event);

/// Blocks until the last record is reached; returns at once when there is none. Throws kEventSyncTimeout.
void synchronize_event(const EventPtr& event, Timeout timeout = {});

/// Blocks until all is done that the moment comes after although its stream has dropped it (Point::superseded_by);
/// returns at once for other moments. False when the deadline, if there is one, is over first.
bool wait_superseding(const PointPtr& point, const std::chrono::steady_clock::time_point* deadline);

/// From start to end; negative when end came first.
float elapsed_ms(const EventPtr& start, const EventPtr& end);
std::uint64_t timestamp_us(const EventPtr& event);

/// Throws kRuntimeInternal for an event that gets its id at its first record and has none yet.
std::uint32_t event_id(const EventPtr& event);
std::uint32_t available_events();

void* create_notify(std::uint64_t flag);
void destroy_notify(void* handle);
void reset_notify(Notify& notify);

}  // namespace aclvk::runtime
