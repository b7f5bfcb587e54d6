#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "runtime/event/count_notify.hpp"
#include "runtime/event/event.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::runtime {

// The event and notify functions of the API: creation, record, wait, query, synchronisation, time (runtime-semantics 5
// and 6).

/// Checks the flags by the rules of the creating function, registers the event and returns its handle. Throws
/// kParamInvalid, kContextNull.
void* create_event(EventMaker maker, std::uint32_t flags);
void destroy_event(void* handle);

/// Records the event on the stream, or makes the stream wait for it. The first record (wait) fixes the kind of all
/// later ones, even if it fails (capture-semantics 7.6): kParamInvalid for the other kind. The EXTERNAL kind requires
/// an event of aclrtCreateEventExWithFlag with exactly SYNC (else kFeatureNotSupported) and a captured stream (else
/// kStreamNotCaptured).
void record_event(const EventPtr& event, Stream& stream, EventUse use = EventUse::kDefault);
void wait_event(const EventPtr& event, Stream& stream, EventUse use = EventUse::kDefault, WaitLimit limit = {});

/// aclrtQueryEventStatus: returns whether the last record is complete.
bool event_recorded(const EventPtr& event);
/// aclrtQueryEvent: like event_recorded(), but an event without a record is complete.
bool event_done(const EventPtr& event);
/// aclrtQueryEventWaitStatus: returns whether all waits that were issued have been passed.
bool event_waits_done(const EventPtr& event);

/// Blocks until the last record is complete; returns at once when there is none. Throws kEventSyncTimeout.
void synchronize_event(const EventPtr& event, Timeout timeout = {});

/// Blocks until a cancelled point is reached, which includes its superseded_by; returns at once for other points.
/// Returns false when the deadline (null: none) passes first.
bool wait_superseding(const PointPtr& point, const std::chrono::steady_clock::time_point* deadline);

/// Returns the time from `start` to `end`, negative when `end` completed first.
float elapsed_ms(const EventPtr& start, const EventPtr& end);
std::uint64_t timestamp_us(const EventPtr& event);

/// Throws kRuntimeInternal for an event without an id: only aclrtCreateEventWithFlag assigns it before the first
/// record.
std::uint32_t event_id(const EventPtr& event);
/// Returns the number of events that can still be created.
std::uint32_t available_events();

void* create_notify(std::uint64_t flag);
void destroy_notify(void* handle);
/// Issue a record, or a wait that resets the notify, on the stream.
void record_notify(const std::shared_ptr<Notify>& notify, Stream& stream);
void wait_notify(const std::shared_ptr<Notify>& notify, Stream& stream, WaitLimit limit = {});
void reset_notify(Notify& notify);

// Counting notifies.

/// The arguments of aclrtCntNotifyWaitWithTimeout, unchecked.
struct CountWait {
  std::uint32_t mode = 0;
  std::uint32_t value = 0;
  std::uint32_t timeout_s = 0;  ///< 0 and UINT32_MAX: no limit
  bool clears = false;
};

void* create_count_notify(std::uint64_t flag);
/// Issue a record, a wait or a reset on the stream. Throw kParamInvalid for an unknown mode.
void record_count(const CountNotifyPtr& notify, Stream& stream, std::uint32_t mode, std::uint32_t value);
void wait_count(const CountNotifyPtr& notify, Stream& stream, const CountWait& wait);
void reset_count(const CountNotifyPtr& notify, Stream& stream);

}  // namespace aclvk::runtime
