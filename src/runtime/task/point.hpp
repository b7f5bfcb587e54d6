#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "runtime/task/scheduler_mutex.hpp"
#include "vk_device/commands/timestamps.hpp"
#include "vk_device/submission/timeline.hpp"

namespace aclvk::runtime {

class Device;
class SharedEvent;
class SharedFlag;

/// Work that no timeline of this process signals: work of another process, or a host function that continues after its
/// stream was aborted. Waiters poll it.
class RemoteWork {
 public:
  virtual ~RemoteWork() = default;
  virtual bool reached() const = 0;
  /// Returns true when the work will never complete: its process has ended or lost its device.
  virtual bool lost() const = 0;
};

/// A vector clock of stream-ordered frees (runtime/pool/memory_pool.hpp): for each PendingTasks::epoch(), the number
/// of its frees that precede a point.
using FreeCounts = std::map<std::uint32_t, std::uint64_t>;

/// A record's number among the records of a shared event.
struct SharedRecord {
  std::shared_ptr<SharedEvent> event;
  std::uint64_t number = 0;
};

/// The time at which a record completed: unknown so far, of the host's clock in nanoseconds, or a device's timestamp.
using CompletionTime = std::variant<std::monostate, std::int64_t, std::shared_ptr<vk::Timestamps>>;

/// A position in a stream's work that host threads and other streams wait for: one record of an event, the end of a
/// model run, or the end of a stream at a synchronisation. It gets a value on the stream's timeline when all work
/// before it has been submitted; until then a stream that waits for it is blocked on the host (docs/adr/0003).
struct Point {
  // The states. A point becomes Queued when its record is issued, and then Submitted or Cancelled; a Remote one does
  // not change.

  /// Its record has not been issued: a wait precedes the record.
  struct Expected {};
  /// Its record has been issued, and work before it has not been submitted. In a stream's pending list it has a
  /// position among the records of one epoch.
  struct Queued {
    std::uint32_t epoch;   ///< PendingTasks::epoch()
    std::uint64_t number;  ///< 0: it was never in the list
  };
  /// All work before it has been submitted.
  struct Submitted {
    vk::TimelinePoint end;  ///< covers that work
    const Device* device;   ///< owns the timeline; streams of other devices wait on the host
  };
  /// Its record will not be processed: see SignalExecutor::cancel(). Waiters still rely on the order of the stream, so
  /// it is reached when `end` and all of `superseded_by` are.
  struct Cancelled {
    std::optional<vk::TimelinePoint> end;  ///< covers the work before it that was submitted; none without such work
    const Device* device;                  ///< of the stream; null if no stream had the record
    /// The points that its stream would have waited for before it.
    std::vector<std::shared_ptr<Point>> superseded_by;
  };
  /// No timeline of this process signals it.
  struct Remote {
    std::shared_ptr<const RemoteWork> work;
  };
  using State = std::variant<Expected, Queued, Submitted, Cancelled, Remote>;

  State state GUARDED_BY(scheduler_mutex){};
  std::optional<SharedRecord> shared GUARDED_BY(scheduler_mutex){};  ///< of an IPC event: notified when it completes
  std::shared_ptr<const FreeCounts> frees GUARDED_BY(scheduler_mutex){};  ///< that precede it; null for none
  bool timed GUARDED_BY(scheduler_mutex) = false;                         ///< its completion time is needed
  CompletionTime time GUARDED_BY(scheduler_mutex){};                      ///< unknown unless `timed`

  template <typename OneState>
  const OneState* as() const REQUIRES(scheduler_mutex) {
    return std::get_if<OneState>(&state);
  }

  /// Returns true once its record has been issued, by this process or another one.
  bool issued() const REQUIRES(scheduler_mutex) { return !as<Expected>(); }
  bool cancelled() const REQUIRES(scheduler_mutex) { return as<Cancelled>() != nullptr; }
  /// Returns true once its record has been submitted or cancelled.
  bool settled() const REQUIRES(scheduler_mutex) { return as<Submitted>() || as<Cancelled>(); }

  /// Returns the point that covers the submitted work before it. Null while the record waits for its submission, and
  /// if a cancelled one had no such work.
  const vk::TimelinePoint* submitted() const REQUIRES(scheduler_mutex) {
    if (const auto* submission = as<Submitted>()) return &submission->end;
    const auto* cancellation = as<Cancelled>();
    return cancellation && cancellation->end ? &*cancellation->end : nullptr;
  }

  /// Returns the device of its stream once it is settled; null if no stream had the record.
  const Device* device() const REQUIRES(scheduler_mutex) {
    if (const auto* submission = as<Submitted>()) return submission->device;
    const auto* cancellation = as<Cancelled>();
    return cancellation ? cancellation->device : nullptr;
  }

  /// Returns true while the record is in the pending list of the stream with this epoch.
  bool pending_in(std::uint32_t epoch) const REQUIRES(scheduler_mutex) {
    const auto* queued = as<Queued>();
    return queued && queued->number != 0 && queued->epoch == epoch;
  }

  bool reached() const REQUIRES(scheduler_mutex);

  /// Cancels it, whatever its state. Returns the new state, so that the caller can add what supersedes it.
  Cancelled& cancel(const vk::TimelinePoint& end, const Device* device) noexcept REQUIRES(scheduler_mutex);

  bool has_time() const REQUIRES(scheduler_mutex) { return !std::holds_alternative<std::monostate>(time); }
  void set_time_if_unknown(std::int64_t host_ns) REQUIRES(scheduler_mutex) {
    if (!has_time()) time = host_ns;
  }
};

using PointPtr = std::shared_ptr<Point>;

/// A binary signal between streams: an EXTERNAL event or a notify. Setting it twice has the effect of setting it once.
/// It changes when the host processes the streams' tasks; that order is one that the device could have executed.
struct Flag {
  bool set GUARDED_BY(scheduler_mutex) = false;
  vk::TimelinePoint since GUARDED_BY(scheduler_mutex);  ///< a wait also waits for this device work
  const Device* device GUARDED_BY(scheduler_mutex) = nullptr;
  /// Replaces the other members once the notify is exported.
  std::shared_ptr<SharedFlag> shared GUARDED_BY(scheduler_mutex);
};

}  // namespace aclvk::runtime
