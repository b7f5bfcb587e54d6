#include "runtime/event/event.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/process_state.hpp"
#include "runtime/device/device.hpp"
#include "runtime/event/shared_signal.hpp"

namespace aclvk::runtime {

std::uint32_t next_signal_id() { return ProcessValue<std::uint32_t, 0, StateId::kSignalIds>::next(); }

Event::Event(EventMaker event_maker, std::uint32_t event_flags)
    : maker(event_maker), flags(event_flags), id(next_signal_id()) {}

void Event::check_record() const {
  check(!has(kEventDeviceUseOnly), Code::kParamInvalid, "event {} is DEVICE_USE_ONLY; streams cannot record it.", id);
}

void Event::check_wait() const {
  check(!has(kEventDeviceUseOnly), Code::kParamInvalid, "event {} is DEVICE_USE_ONLY; streams cannot wait for it.", id);
  check(synchronises(), Code::kFeatureNotSupported,
        "event {} has flags 0x{:x}; a stream waits only for events with SYNC or EXTERNAL.", id, flags);
}

void Event::check_reset() const {
  check(!has(kEventDeviceUseOnly), Code::kParamInvalid, "event {} is DEVICE_USE_ONLY; streams cannot reset it.", id);
  check(maker != EventMaker::kExWithFlag && synchronises() && !has(kEventIpc), Code::kFeatureNotSupported,
        "event {} with flags 0x{:x} cannot be reset; only events of aclrtCreateEvent and of aclrtCreateEventWithFlag "
        "with SYNC or EXTERNAL can.",
        id, flags);
}

void Event::check_not_captured() const {
  check(!captured, Code::kEventCaptured, "event {} belongs to a capture that has not ended.", id);
}

void Event::check_query_legacy() const {
  check_not_captured();
  check(maker != EventMaker::kExWithFlag && !has(kEventIpc), Code::kFeatureNotSupported,
        "event {} was made by aclrtCreateEventExWithFlag; use aclrtQueryEventStatus.", id);
  check_observe();
}

void Event::check_observe() const {
  check(!external(), Code::kFeatureNotSupported, "event {} is EXTERNAL; the host cannot query it or wait for it.", id);
  check_not_captured();
}

void Event::check_has_time() const {
  check(!has(kEventIpc), Code::kFeatureNotSupported, "event {} is an IPC event and has no time.", id);
}

void Event::check_timing() const {
  check_has_time();
  check_observe();
  check(ever_recorded_, Code::kRuntimeInternal, "event {} has not been recorded and has no time.", id);
  check(timed(), Code::kEventTimestampInvalid, "event {} has flags 0x{:x}; its time is kept only with TIME_LINE.", id,
        flags);
  check(point_->reached(), Code::kEventTimestampInvalid, "event {} is recorded but not complete yet.", id);
}

// Uses the point of waits that precede the record, if there are any. Each record gets a point of its own, so that a
// later record does not change what a stream waits for.
PointPtr Event::issue_record() {
  point_ = next_point_ ? next_point_ : std::make_shared<Point>();
  next_point_ = nullptr;
  point_->state = Point::Queued{};
  point_->timed = timed();
  reset_ = nullptr;
  recorded_ = ever_recorded_ = true;
  if (shared) {
    shared_record_ = shared->issue();
    point_->shared = SharedRecord{shared, shared_record_};
  }
  return point_;
}

bool Event::recorded_remotely() const { return shared && shared->newest() != shared_record_; }

PointPtr Event::last_point() const {
  if (!recorded_remotely()) return point_;
  return std::make_shared<Point>(Point{Point::Remote{remote_record(shared, shared->newest())}});
}

// Without a record the kinds of events differ (runtime-semantics 5.2). For aclrtCreateEventExWithFlag there is nothing
// to wait for, and aclrtCreateEvent refuses waits before the first record. Otherwise the wait binds to the next record.
PointPtr Event::issue_wait() {
  if (recorded_remotely()) return complete_status() ? nullptr : last_point();
  if (recorded_) return point_;
  if (maker == EventMaker::kExWithFlag) return nullptr;
  check(maker != EventMaker::kPlain || ever_recorded_, Code::kParamInvalid,
        "event {} has never been recorded; a stream would wait for ever.", id);
  if (!next_point_) next_point_ = std::make_shared<Point>();
  return next_point_;
}

PointPtr Event::issue_reset() {
  reset_ = std::make_shared<Point>(Point{Point::Queued{}});
  recorded_ = false;
  return reset_;
}

bool Event::complete_status() const {
  if (recorded_remotely()) return shared->reached(shared->newest());
  if (!ever_recorded_) return maker == EventMaker::kExWithFlag;
  if (reset_ && reset_->reached()) return false;
  const bool complete = point_->reached();
  // A caller may see the completion before the watcher thread does, and tell the other process by its own means. On a
  // lost device every point counts as reached; the watcher reports that to other processes.
  const Device* device = point_->device();
  const bool lost = device && device->gpu().lost();
  if (complete && shared && !lost) shared->mark_reached(shared_record_);
  return complete;
}

bool Event::waits_complete() const {
  return std::all_of(waits_.begin(), waits_.end(),
                     [](const PointPtr& wait) REQUIRES(scheduler_mutex) { return wait->reached(); });
}

// Waits that have been passed are removed when the vector is full, which costs a loop of waits constant time for each.
void Event::reserve_wait() {
  if (waits_.size() < waits_.capacity()) return;
  const auto is_reached = [](const PointPtr& wait) REQUIRES(scheduler_mutex) { return wait->reached(); };
  waits_.erase(std::remove_if(waits_.begin(), waits_.end(), is_reached), waits_.end());
  if (waits_.size() == waits_.capacity()) waits_.reserve(2 * waits_.size() + 1);
}

Notify::Notify() : id(next_signal_id()) {}

Notify::Notify(std::shared_ptr<SharedFlag> shared) : id(next_signal_id()), opened(true) {
  flag.shared = std::move(shared);
}

}  // namespace aclvk::runtime
