#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
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

/// A position in a stream's work that host threads and other streams wait for: one record of an event, the end of a
/// model run, or the end of a stream at a synchronisation. It gets a value on the stream's timeline when all work
/// before it has been submitted; until then a stream that waits for it is blocked on the host (docs/adr/0003).
struct Point {
  std::optional<vk::TimelinePoint> submitted;  ///< its timeline value, once all work before it has been submitted
  bool issued = false;             ///< its record has been issued; false for a wait that precedes the record
  bool cancelled = false;          ///< its record will not be processed: see SignalExecutor::cancel()
  const Device* device = nullptr;  ///< owns the timeline; streams of other devices wait on the host
  std::shared_ptr<const RemoteWork> remote = nullptr;  ///< set for work without a timeline
  std::shared_ptr<SharedEvent> shared = nullptr;       ///< of an IPC event: notified when it completes
  std::uint64_t shared_record = 0;                     ///< the record's number in `shared`
  std::shared_ptr<const FreeCounts> frees = nullptr;   ///< that precede it; null for none
  bool timed = false;                                  ///< its completion time is needed
  std::shared_ptr<vk::Timestamps> time = nullptr;      ///< the device's timestamp; null if unsupported
  std::int64_t host_time_ns = -1;                      ///< without a timestamp: when the host saw it complete

  /// For a cancelled point: the points that its stream would have waited for before it. Waiters still rely on that
  /// order, so a cancelled point is reached when all of these and `submitted` (if set) are reached.
  std::vector<std::shared_ptr<Point>> superseded_by{};

  // For a record in a stream's pending list: its position among the records of one epoch.
  std::uint32_t epoch = 0;   ///< PendingTasks::epoch()
  std::uint64_t number = 0;  ///< 0: it was never in the list

  /// Returns true while the record is in the pending list of the stream with this epoch.
  bool pending_in(std::uint32_t other) const { return !submitted && number != 0 && epoch == other; }

  bool reached() const {
    if (!cancelled) return remote ? remote->reached() : submitted && submitted->reached();
    const auto is_reached = [](const std::shared_ptr<Point>& point) { return point->reached(); };
    return (!submitted || submitted->reached()) && std::all_of(superseded_by.begin(), superseded_by.end(), is_reached);
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
