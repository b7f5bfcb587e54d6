#include "runtime/signal/event_use.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "runtime/context/current.hpp"
#include "runtime/context/handles.hpp"
#include "runtime/device/device.hpp"
#include "runtime/event/shared_signal.hpp"
#include "runtime/host/host_time.hpp"
#include "runtime/pool/memory_pools.hpp"
#include "runtime/signal/shared_event.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::runtime {
namespace {

using Clock = std::chrono::steady_clock;

// A handle has 24 bits for the slot (base/handle.hpp).
constexpr std::size_t kMaxEvents = std::size_t{1} << 24;

void check_with_flag(std::uint32_t flags) {
  const bool known = flags != 0 && (flags & ~0x3FU) == 0;
  check(known, Code::kParamInvalid, "Event flags are 0x{:x}; a non-empty combination within 0x3f is expected.", flags);
  const bool exclusive = (flags & (kEventDeviceUseOnly | kEventExternal)) != 0;
  const bool single = (flags & (flags - 1)) == 0;
  check(!exclusive || single, Code::kParamInvalid,
        "Event flags are 0x{:x}; DEVICE_USE_ONLY (0x10) and EXTERNAL (0x20) stand alone.", flags);
}

void check_ex_with_flag(std::uint32_t flags) {
  check(flags == kEventIpc || (flags != 0 && (flags & ~0xFU) == 0), Code::kParamInvalid,
        "Event flags are 0x{:x}; IPC (0x40) alone or a non-empty combination of SYNC (1), CAPTURE_STREAM_PROGRESS (2) "
        "and TIME_LINE (8) is expected.",
        flags);
}

struct ObservedPoint {
  PointPtr point;                            ///< null when the event was never recorded
  std::shared_ptr<const RemoteWork> remote;  ///< of a record of another process, else null
};

/// Returns the point to wait for, and what is read of it under the lock.
ObservedPoint observed_point(const EventPtr& event) {
  const SchedulerLock lock;
  event->check_observe();
  PointPtr point = event->last_point();
  const auto* remote = point ? point->as<Point::Remote>() : nullptr;
  return {std::move(point), remote ? remote->work : nullptr};
}

void check_not_stuck(bool stuck, const Event& event) {
  check(!stuck, Code::kAicoreTimeout,
        "Tasks before event {} have been running for too long. They cannot be interrupted, so they continue.",
        event.id);
}

bool wait_submitted(const PointPtr& point, const Event& event, const Clock::time_point* deadline) {
  const LockGuard lock(scheduler_mutex);
  Scheduler& scheduler = Scheduler::instance();
  const bool in_time =
      scheduler.wait([&]() REQUIRES(scheduler_mutex) { return point->settled() || scheduler.stuck(*point); }, deadline);
  check_not_stuck(in_time && !point->settled(), event);
  return in_time;
}

bool wait_reached(const vk::TimelinePoint& point, const Event& event, const Clock::time_point* deadline) {
  const LockGuard lock(scheduler_mutex);
  const bool reached = Scheduler::instance().wait_for_device(point, deadline);
  const bool in_time = !deadline || Clock::now() < *deadline;  // a wait that failed in time was stuck, perhaps not now
  check_not_stuck(!reached && (in_time || Scheduler::instance().stuck(point)), event);
  return reached;
}

// Points of a lost device count as reached although their work did not complete (docs/adr/0025).
void check_device_not_lost(const PointPtr& point) REQUIRES(scheduler_mutex) {
  const Device* device = point ? point->device() : nullptr;
  if (device) device->check_not_lost();
}

/// Returns a copy of the timeline value, read under the lock; none for a point that was not submitted.
std::optional<vk::TimelinePoint> submitted_point(const PointPtr& point) {
  const SchedulerLock lock;
  const vk::TimelinePoint* submitted = point->submitted();
  return submitted ? std::optional(*submitted) : std::nullopt;
}

// Cancels the record that streams wait for in advance, because the destroyed event will never be recorded. A wait for
// an event of aclrtCreateEventExWithFlag never precedes the record, and models may continue to use the flag of an
// EXTERNAL event.
void release_waiters(Event& event) {
  if (event.maker == EventMaker::kExWithFlag || event.external()) return;
  const SchedulerLock lock;
  event.issue_record()->state = Point::Cancelled{};
  Scheduler::instance().changed();
}

void check_not_lost(const RemoteWork& work, const Event& event) {
  check(!work.lost(), Code::kWaitTimeout,
        "The process that recorded event {} has ended or lost its device; the event will never be complete.", event.id);
}

// Polls, because the other process has no means to wake a thread of this one.
bool wait_remote(const RemoteWork& work, const Event& event, const Clock::time_point* deadline) {
  while (!work.reached()) {
    check_not_lost(work, event);
    if (deadline && Clock::now() >= *deadline) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return true;
}

// Marks the record complete in the shared page, before the watcher thread does: the caller may now tell another process
// by its own means that the event is complete (docs/adr/0017).
void publish_completion(const Event& event) {
  const SchedulerLock lock;
  event.complete_status();
}

void check_timing(const EventPtr& event) {
  const SchedulerLock lock;
  event->check_timing();
  check_device_not_lost(event->last_point());
}

void check_observe(const EventPtr& event) {
  const SchedulerLock lock;
  event->check_observe();
}

void check_recorded(const EventPtr& event) {
  const SchedulerLock lock;
  check(event->ever_recorded(), Code::kRuntimeInternal, "event {} has not been recorded and has no time.", event->id);
}

// `first_use`: external_records or external_waits. The first call fixes the kind even if it fails later
// (capture-semantics 7.6).
void check_use(Event& event, std::optional<bool> Event::*first_use, EventUse use) {
  const bool external = use == EventUse::kExternal;
  const bool suitable = event.maker == EventMaker::kExWithFlag && event.flags == kEventSync;
  check(
      !external || suitable, Code::kFeatureNotSupported,
      "event {} has flags 0x{:x}; the EXTERNAL kind of record and wait takes events of aclrtCreateEventExWithFlag with "
      "exactly SYNC.",
      event.id, event.flags);
  const SchedulerLock lock;
  std::optional<bool>& first = event.*first_use;
  if (!first) first = external;
  check(*first == external, Code::kParamInvalid,
        "event {} is used with the {} kind of this call; its first such call was of the other kind.", event.id,
        external ? "EXTERNAL" : "default");
}

void check_captured(const Stream& stream) {
  check(!stream.executes(), Code::kStreamNotCaptured,
        "Stream {} is not captured; the EXTERNAL kind of record and wait is for captured streams.", stream.id);
}

// Returns the completion time of the event's last record in nanoseconds. The device writes a timestamp at the end of
// the work before the record; for a device without timestamps the watcher thread reads the host clock, tens of
// microseconds late (docs/adr/0022). Differences of times of one device are exact; times of several devices and of
// host_ns() are comparable approximately. Requires a complete event.
std::int64_t reached_ns(const EventPtr& event) EXCLUDES(scheduler_mutex) {
  CompletionTime time;
  {
    const SchedulerLock lock;
    const PointPtr point = event->last_point();
    // A cancelled record is complete without a time from the device. Its time is that of the first query.
    point->set_time_if_unknown(host_ns());
    time = point->time;
  }
  // Without the lock: some drivers wait for other submissions before they return query results.
  const auto* timestamp = std::get_if<std::shared_ptr<vk::Timestamps>>(&time);
  return timestamp ? (*timestamp)->read().front() : std::get<std::int64_t>(time);
}

CountChange change_of(std::uint32_t mode) {
  constexpr auto kAnd = static_cast<std::uint32_t>(CountChange::kAnd);
  check(mode <= 2 || mode == kAnd, Code::kParamInvalid,
        "The record mode is {}; SET_VALUE 0, ADD 1, BIT_OR 2 or BIT_AND 4 is expected.", mode);
  return static_cast<CountChange>(mode);
}

CountCondition condition_of(std::uint32_t mode) {
  check(mode <= static_cast<std::uint32_t>(CountCondition::kBits), Code::kParamInvalid,
        "The wait mode is {}; LESS 0, EQUAL 1, BIGGER 2, BIGGER_OR_EQUAL 3 or EQUAL_WITH_BITMASK 4 is expected.", mode);
  return static_cast<CountCondition>(mode);
}

}  // namespace

// Polls: the superseding work may not be submitted yet, so there may be no timeline value to wait for. Waits for
// cancelled points are rare.
bool wait_superseding(const PointPtr& point, const Clock::time_point* deadline) {
  const auto reached = [&] {
    const SchedulerLock lock;
    return !point->cancelled() || point->reached();
  };
  while (!reached()) {
    if (deadline && Clock::now() >= *deadline) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return true;
}

void* create_event(EventMaker maker, std::uint32_t flags) {
  if (maker == EventMaker::kWithFlag) check_with_flag(flags);
  if (maker == EventMaker::kExWithFlag) check_ex_with_flag(flags);
  check_has_context();
  const auto event = std::make_shared<Event>(maker, flags);
  if (event->has(kEventIpc)) event->shared = std::make_shared<SharedEvent>();
  event->handle = event_handles().insert(event);
  return event->handle;
}

void destroy_event(void* handle) {
  const EventPtr event = event_handles().remove(handle);
  check(event != nullptr, Code::kInvalidHandle, "{} is not a live event.", handle);
  withdraw_event(*event);
  release_waiters(*event);
}

void record_event(const EventPtr& event, Stream& stream, EventUse use) {
  check_use(*event, &Event::external_records, use);
  if (use == EventUse::kExternal) {
    check_captured(stream);
    return stream.accept(EventRecordTask{event, nullptr, EventUse::kExternal});
  }
  stream.record(event);
}

void wait_event(const EventPtr& event, Stream& stream, EventUse use, WaitLimit limit) {
  check_use(*event, &Event::external_waits, use);
  if (use == EventUse::kExternal) {
    check_captured(stream);
    return stream.accept(EventWaitTask{event, nullptr, nullptr, {}, EventUse::kExternal});
  }
  stream.wait(event, limit);
}

bool event_recorded(const EventPtr& event) {
  const SchedulerLock lock;
  event->check_observe();
  const bool complete = event->complete_status();
  const PointPtr point = event->last_point();
  check_device_not_lost(point);
  const auto* remote = point ? point->as<Point::Remote>() : nullptr;
  if (!complete && remote) check_not_lost(*remote->work, *event);
  return complete;
}

bool event_done(const EventPtr& event) {
  const SchedulerLock lock;
  event->check_query_legacy();
  const bool done = !event->ever_recorded() || event->complete_status();
  check_device_not_lost(event->last_point());
  return done;
}

bool event_waits_done(const EventPtr& event) {
  const SchedulerLock lock;
  event->check_query_legacy();
  const bool done = event->waits_complete();
  for (const PointPtr& wait : event->waits()) check_device_not_lost(wait);
  return done;
}

void synchronize_event(const EventPtr& event, Timeout timeout) {
  const auto [point, remote] = observed_point(event);
  if (!point) return;
  const Clock::time_point end = Clock::now() + timeout.value_or(std::chrono::milliseconds{0});
  const Clock::time_point* deadline = timeout ? &end : nullptr;
  bool in_time = remote ? wait_remote(*remote, *event, deadline) : wait_submitted(point, *event, deadline);
  if (const auto submitted = submitted_point(point); in_time && submitted)
    in_time = wait_reached(*submitted, *event, deadline);
  in_time = in_time && wait_superseding(point, deadline);
  if (in_time && event->shared) publish_completion(*event);
  check(in_time, Code::kEventSyncTimeout, "event {} is not complete after {} ms.", event->id,
        timeout ? timeout->count() : 0);
  const SchedulerLock lock;
  check_device_not_lost(point);
  const auto* complete = point->as<Point::Submitted>();
  if (complete && complete->device) on_host_waited(*complete->device, point->frees ? *point->frees : FreeCounts{});
}

// Both events pass a check before the next one begins: the order of the codes in runtime-semantics 5.3.6.
float elapsed_ms(const EventPtr& start, const EventPtr& end) {
  start->check_has_time();
  end->check_has_time();
  check_observe(start);
  check_observe(end);
  check_recorded(start);
  check_recorded(end);
  check_timing(start);
  check_timing(end);
  return static_cast<float>(static_cast<double>(reached_ns(end) - reached_ns(start)) * 1e-6);
}

std::uint64_t timestamp_us(const EventPtr& event) {
  check_timing(event);
  return static_cast<std::uint64_t>(reached_ns(event)) / 1000;
}

std::uint32_t event_id(const EventPtr& event) {
  check(!event->has(kEventIpc), Code::kFeatureNotSupported, "event {} is an IPC event, which has no public id.",
        event->id);
  const SchedulerLock lock;
  const bool has_id = event->maker == EventMaker::kWithFlag || event->ever_recorded();
  check(has_id, Code::kRuntimeInternal, "event {} gets its public id when it is first recorded; it has not been.",
        event->id);
  return event->id;
}

std::uint32_t available_events() {
  auto& events = event_handles();
  return static_cast<std::uint32_t>(kMaxEvents - events.size());
}

void* create_notify(std::uint64_t flag) {
  check(flag <= 1, Code::kParamInvalid, "The flag of a notify is {}; 0 or 1 is expected.", flag);
  check_has_context();
  return notify_handles().insert(std::make_shared<Notify>());
}

void destroy_notify(void* handle) {
  const auto notify = notify_handles().remove(handle);
  check(notify != nullptr, Code::kInvalidHandle, "{} is not a live notify.", handle);
  withdraw_notify(*notify);
}

void record_notify(const std::shared_ptr<Notify>& notify, Stream& stream) { stream.accept(NotifyRecordTask{notify}); }

void wait_notify(const std::shared_ptr<Notify>& notify, Stream& stream, WaitLimit limit) {
  stream.accept(NotifyWaitTask{notify, limit});
}

void reset_notify(Notify& notify) {
  const SchedulerLock lock;
  notify.flag.set = false;
  if (notify.flag.shared) notify.flag.shared->test_and_clear();
}

void* create_count_notify(std::uint64_t flag) {
  check(flag <= 1, Code::kParamInvalid, "The flag of a counting notify is {}; 0 or 1 is expected.", flag);
  check_has_context();
  return count_notify_handles().insert(std::make_shared<CountNotify>());
}

void record_count(const CountNotifyPtr& notify, Stream& stream, std::uint32_t mode, std::uint32_t value) {
  stream.accept(CountRecordTask{notify, change_of(mode), value});
}

void wait_count(const CountNotifyPtr& notify, Stream& stream, const CountWait& wait) {
  const WaitLimit limit(wait.timeout_s == UINT32_MAX ? 0 : wait.timeout_s);
  stream.accept(CountWaitTask{notify, condition_of(wait.mode), wait.value, wait.clears, limit});
}

void reset_count(const CountNotifyPtr& notify, Stream& stream) {
  stream.accept(CountRecordTask{notify, CountChange::kSet, 0});
}

}  // namespace aclvk::runtime
