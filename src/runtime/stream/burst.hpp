#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::runtime {

/// Decides after which tasks a stream asks whether its device is idle (docs/adr/0014). A query is a call of the driver,
/// and an idle device gets a submission, which costs the host as much as many small tasks. So in a burst, a loop that
/// launches small tasks, the number of tasks between two queries doubles with each query.
class Burst {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// A batch that is begun this soon after the last submission belongs to a burst.
  static constexpr std::chrono::microseconds kLongestGap{50};
  static constexpr std::size_t kFirstInterval = 8;
  static constexpr std::size_t kLastInterval = 64;

  /// Begins a batch of tasks. A batch outside of a burst begins the count anew.
  void begin_batch(Time now) REQUIRES(scheduler_mutex) {
    active_ = now - submitted_at_ < kLongestGap;
    if (!active_) interval_ = kFirstInterval;
    left_ = interval_;
  }
  /// Counts a task of the batch. Returns whether the device is to be queried now: always outside of a burst.
  bool queries_after_task() REQUIRES(scheduler_mutex) {
    if (!active_) return true;
    if (--left_ > 0) return false;
    left_ = interval_ = std::min(2 * interval_, kLastInterval);
    return true;
  }
  /// Notes that a launch has submitted the batch.
  void end_batch(Time now) REQUIRES(scheduler_mutex) { submitted_at_ = now; }
  /// Ends a burst, because a host thread waits: the next batch is outside of it.
  void end() REQUIRES(scheduler_mutex) { submitted_at_ = {}; }

 private:
  Time submitted_at_ GUARDED_BY(scheduler_mutex);
  bool active_ GUARDED_BY(scheduler_mutex) = false;
  std::size_t interval_ GUARDED_BY(scheduler_mutex) = kFirstInterval;  // tasks from one query to the next
  std::size_t left_ GUARDED_BY(scheduler_mutex) = kFirstInterval;      // tasks until the next query
};

}  // namespace aclvk::runtime
