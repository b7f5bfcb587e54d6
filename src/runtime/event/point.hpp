#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "vk_device/timeline.hpp"
#include "vk_device/timestamps.hpp"

namespace aclvk::runtime {

class Device;
class SharedEvent;
class SharedFlag;

/// Work of another process that a Point stands for.
class RemoteWork {
 public:
  virtual ~RemoteWork() = default;
  virtual bool reached() const = 0;
  /// The process, or its device, ended before the work was reached.
  virtual bool lost() const = 0;
};

/// By order (StreamQueue::epoch()): how many of its stream-ordered frees (runtime/memory/memory_pool.hpp) come before a
/// moment.
using FreeCounts = std::map<std::uint32_t, std::uint64_t>;

/// One moment of a stream's work that others wait for: what a single event record, the end of a model run or a
/// synchronisation stands for. It has a place on a timeline only after everything before it has been submitted; until
/// then a stream that waits for it is held back on the host (docs/adr/0003). Guarded by the scheduler's lock.
struct Point {
  std::optional<vk::TimelinePoint> submitted;
  bool queued = false;     ///< a record of it has been issued; otherwise somebody waits for a record still to come
  bool cancelled = false;  ///< the stream dropped it before all work in front of it was submitted
  const Device* device = nullptr;  ///< whose timeline it is; a stream of another device waits on the host
  std::shared_ptr<const RemoteWork> remote = nullptr;  ///< in place of a timeline
  std::shared_ptr<SharedEvent> shared = nullptr;       ///< where other processes hear what becomes of it
  std::uint64_t shared_record = 0;                     ///< its number there
  std::shared_ptr<const FreeCounts> frees = nullptr;   ///< that come before it; null when there are none
  bool timed = false;                                  ///< the moment when it is reached is wanted
  std::shared_ptr<vk::Timestamps> time = nullptr;      ///< that moment, once submitted, if the device writes timestamps
  std::int64_t host_time_ns = -1;                      ///< else when the host saw it, once reached

  /// Of an cancelled one: what the stream would have waited for in front of it. Those who rely on the order still do,
  /// so it counts as reached when all of these and what the stream had submitted (`submitted`, if anything) are.
  std::vector<std::shared_ptr<Point>> superseded_by{};

  // Of one that waits on the host for its turn: of two of one order the one with the greater number comes later.
  std::uint32_t epoch = 0;   ///< StreamQueue::epoch()
  std::uint64_t number = 0;  ///< 0: it has not had to wait

  /// It waits for its turn among the tasks of this order.
  bool pending_in(std::uint32_t other) const { return !submitted && number != 0 && epoch == other; }

  bool reached() const {
    if (!cancelled) return remote ? remote->reached() : submitted && submitted->reached();
    const auto is_reached = [](const std::shared_ptr<Point>& point) { return point->reached(); };
    return (!submitted || submitted->reached()) && std::all_of(superseded_by.begin(), superseded_by.end(), is_reached);
  }
};

using PointPtr = std::shared_ptr<Point>;

/// A binary signal between streams: an EXTERNAL event or a notify. Setting it twice is setting it once. Guarded by the
/// scheduler's lock; changed in the order in which streams reach the tasks on the host, which is an order that the
/// device could have taken.
struct Flag {
  bool set = false;
  vk::TimelinePoint since;  ///< the device work after which it counts as set
  const Device* device = nullptr;
  std::shared_ptr<SharedFlag> shared;  ///< takes the place of the others once several processes use it
};

}  // namespace aclvk::runtime
