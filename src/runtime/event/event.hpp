#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/task/point.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::runtime {

class CapturedEvent;  // in runtime/stream/sink.hpp
class SharedEvent;

enum EventFlag : std::uint32_t {
  kEventSync = 0x1,
  kEventProgress = 0x2,
  kEventTimeLine = 0x8,
  kEventDeviceUseOnly = 0x10,
  kEventExternal = 0x20,
  kEventIpc = 0x40,
};

/// The function that created an event: aclrtCreateEvent, aclrtCreateEventWithFlag or aclrtCreateEventExWithFlag. Their
/// events follow different rules (runtime-semantics 5.2).
enum class EventMaker { kPlain, kWithFlag, kExWithFlag };

/// Returns a new id for an event, a notify, or one record inside a capture. Ids are unique, so that names in traces
/// are.
std::uint32_t next_signal_id();

/// An aclrtEvent. Each record of an ordinary event makes a new Point; a wait binds to the newest Point at the time of
/// the call. An EXTERNAL event is a Flag instead. `captured` belongs to the capture that uses the event.
class Event {
 public:
  Event(EventMaker maker, std::uint32_t flags);

  const EventMaker maker;
  const std::uint32_t flags;
  const std::uint32_t id;
  void* handle = nullptr;  ///< the public handle; null until registered

  bool external() const { return flags == kEventExternal; }
  bool has(EventFlag bit) const { return (flags & bit) != 0; }
  /// Returns true when streams can wait for the event and captures can use it.
  bool synchronises() const { return maker == EventMaker::kPlain || has(kEventSync) || has(kEventIpc) || external(); }

  /// Returns true when its records have a completion time.
  bool timed() const { return maker == EventMaker::kPlain || has(kEventTimeLine); }

  // The rules of use (runtime-semantics 5.2). Each check throws the documented code and changes nothing.
  void check_record() const REQUIRES(scheduler_mutex);
  void check_wait() const REQUIRES(scheduler_mutex);
  void check_reset() const REQUIRES(scheduler_mutex);
  void check_not_captured() const REQUIRES(scheduler_mutex);
  void check_query_legacy() const REQUIRES(scheduler_mutex);  ///< aclrtQueryEvent, aclrtQueryEventWaitStatus
  void check_observe() const REQUIRES(scheduler_mutex);       ///< aclrtQueryEventStatus, aclrtSynchronizeEvent
  void check_has_time() const;                                ///< the kind of event can have a time
  void check_timing() const REQUIRES(scheduler_mutex);        ///< it has a time: TIME_LINE, recorded, complete

  // Each issue_ function changes nothing when it throws. After it has returned, its task must reach the stream, because
  // waiters may already depend on it.

  /// Returns the Point of a record that is being issued: a new one, or the one that earlier waits are bound to.
  PointPtr issue_record() REQUIRES(scheduler_mutex);
  /// Returns the Point that a wait issued now binds to; null when there is nothing to wait for. Throws kParamInvalid
  /// for a plain event that was never recorded.
  PointPtr issue_wait() REQUIRES(scheduler_mutex);
  /// Returns the Point of a reset that is being issued. From then on the event counts as not recorded.
  PointPtr issue_reset() REQUIRES(scheduler_mutex);

  /// Returns true when the last issued record is complete. An event without a record is complete when it was created by
  /// aclrtCreateEventExWithFlag.
  bool complete_status() const REQUIRES(scheduler_mutex);
  bool ever_recorded() const REQUIRES(scheduler_mutex) { return ever_recorded_; }
  /// Returns the Point that aclrtSynchronizeEvent waits for; null when the event was never recorded.
  PointPtr last_point() const REQUIRES(scheduler_mutex);
  /// Returns true when each wait that was issued has been passed by its stream.
  bool waits_complete() const REQUIRES(scheduler_mutex);
  /// Returns EventWaitTask::passed of each wait that may not have been passed yet.
  const std::vector<PointPtr>& waits() const REQUIRES(scheduler_mutex) { return waits_; }
  /// Allocates for the next add_wait(), which then does not throw.
  void reserve_wait() REQUIRES(scheduler_mutex);
  /// Adds a wait; `passed` is reached when its stream has passed it. Requires reserve_wait().
  void add_wait(PointPtr passed) noexcept REQUIRES(scheduler_mutex) { waits_.push_back(std::move(passed)); }

  Flag flag GUARDED_BY(scheduler_mutex);  ///< of an EXTERNAL event
  std::shared_ptr<SharedEvent> shared;    ///< of an IPC event; set when the event is made
  bool opened = false;                    ///< created by another process; set when the event is made
  std::shared_ptr<CapturedEvent> captured GUARDED_BY(scheduler_mutex);  ///< null unless a capture uses the event
  /// True for records (waits) of the EXTERNAL kind; the first one fixes the kind (capture-semantics 7.6).
  std::optional<bool> external_records GUARDED_BY(scheduler_mutex);
  std::optional<bool> external_waits GUARDED_BY(scheduler_mutex);

 private:
  /// Returns true when the newest record was issued by another process.
  bool recorded_remotely() const REQUIRES(scheduler_mutex);

  PointPtr point_ GUARDED_BY(scheduler_mutex);                   // of the last record that this process issued
  std::uint64_t shared_record_ GUARDED_BY(scheduler_mutex) = 0;  // its number among the records of all processes
  // Of the next record; null unless a wait is bound to it.
  PointPtr next_point_ GUARDED_BY(scheduler_mutex);
  PointPtr reset_ GUARDED_BY(scheduler_mutex);               // of a reset after the last record; null without one
  std::vector<PointPtr> waits_ GUARDED_BY(scheduler_mutex);  // those that may not have been passed yet
  bool recorded_ GUARDED_BY(scheduler_mutex) = false;        // since the last reset
  bool ever_recorded_ GUARDED_BY(scheduler_mutex) = false;
};

using EventPtr = std::shared_ptr<Event>;

/// An aclrtNotify: a Flag that streams set, and that a wait clears.
class Notify {
 public:
  Notify();
  /// Makes a notify that another process has created.
  explicit Notify(std::shared_ptr<SharedFlag> shared);
  const std::uint32_t id;
  const bool opened = false;  ///< created by another process
  Flag flag GUARDED_BY(scheduler_mutex);
};

}  // namespace aclvk::runtime
