#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "runtime/event/point.hpp"
#include "runtime/stream/sink.hpp"

namespace aclvk::runtime {

class SharedEvent;

enum EventFlag : std::uint32_t {
  kEventSync = 0x1,
  kEventProgress = 0x2,
  kEventTimeLine = 0x8,
  kEventDeviceUseOnly = 0x10,
  kEventExternal = 0x20,
  kEventIpc = 0x40,
};

/// Which of the three creators made it; the rules differ (runtime-semantics 5.2).
enum class EventMaker { kPlain, kWithFlag, kExWithFlag };

/// A number for an event, or for one record of it inside a capture; none is given twice, so that names in traces tell
/// them apart.
std::uint32_t next_signal_id();

/// An aclrtEvent. An ordinary event is bound by Points: a record makes a new one, a wait binds to the newest at the
/// time of the call. An EXTERNAL event is a Flag. Its capture state belongs to the capture that uses it. All members
/// but the constants are guarded by the scheduler's lock.
class Event {
 public:
  Event(EventMaker maker, std::uint32_t flags);

  const EventMaker maker;
  const std::uint32_t flags;
  const std::uint32_t id;
  void* handle = nullptr;  ///< the public handle, once registered

  bool external() const { return flags == kEventExternal; }
  bool has(EventFlag bit) const { return (flags & bit) != 0; }
  /// Can be waited for by a stream and take part in a capture.
  bool synchronises() const { return maker == EventMaker::kPlain || has(kEventSync) || has(kEventIpc) || external(); }

  /// Its records note when they are reached.
  bool timed() const { return maker == EventMaker::kPlain || has(kEventTimeLine); }

  // How streams use it (runtime-semantics 5.2); each throws the documented code and changes nothing.
  void check_record() const;
  void check_wait() const;
  void check_reset() const;
  void check_not_captured() const;
  void check_query_legacy() const;  ///< aclrtQueryEvent, aclrtQueryEventWaitStatus
  void check_observe() const;       ///< status, synchronise
  void check_has_time() const;      ///< is of a kind that can have one
  void check_timing() const;        ///< elapsed time, time stamp: recorded, TIME_LINE, complete

  // For what is being issued. When memory runs out nothing has changed; afterwards nothing may keep the task from its
  // stream, because others wait for it.

  /// A new Point for a record that is being issued, or the one that somebody already waits for.
  PointPtr issue_record();
  /// The Point that a wait issued now binds to; null when there is nothing to wait for. Throws kParamInvalid for a
  /// plain event that was never recorded.
  PointPtr issue_wait();
  /// A Point for a reset that is being issued: the event counts as not recorded from then on.
  PointPtr issue_reset();

  /// True when the last record issued has been reached (or none has, for the kinds where that counts as complete).
  bool complete_status() const;
  bool ever_recorded() const { return ever_recorded_; }
  /// The Point that the host waits for in a synchronise; null when there is none.
  PointPtr last_point() const;
  /// All waits issued so far have been passed by their streams.
  bool waits_complete() const;
  /// What the newest wait becomes once its stream has passed it; null when there is none.
  const PointPtr& last_wait() const { return last_wait_; }
  void set_last_wait(PointPtr passed) { last_wait_ = std::move(passed); }

  Flag flag;                                ///< of an EXTERNAL event
  std::shared_ptr<SharedEvent> shared;      ///< of an IPC event
  bool opened = false;                      ///< it belongs to another process
  std::shared_ptr<CapturedEvent> captured;  ///< while a capture uses it
  /// Whether its records (waits) are of the EXTERNAL kind; the first one decides for good (capture-semantics 7.6).
  std::optional<bool> external_records;
  std::optional<bool> external_waits;

 private:
  /// The newest record is one of another process.
  bool recorded_remotely() const;

  PointPtr point_;                   // of the last record issued
  std::uint64_t shared_record_ = 0;  // its number among those of all processes
  PointPtr next_point_;              // of the next record: somebody waits for it already
  PointPtr reset_;                   // of the last reset issued after it
  PointPtr last_wait_;
  bool recorded_ = false;  // since the last reset
  bool ever_recorded_ = false;
};

using EventPtr = std::shared_ptr<Event>;

/// An aclrtNotify: a Flag that streams set, and wait for and clear.
class Notify {
 public:
  Notify();
  const std::uint32_t id;
  Flag flag;
  bool opened = false;  ///< it belongs to another process
};

}  // namespace aclvk::runtime
