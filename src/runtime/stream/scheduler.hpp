#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <set>
#include <vector>

#include "base/log_deferral.hpp"
#include "base/mutex.hpp"
#include "runtime/task/scheduler_mutex.hpp"
#include "vk_device/submission/timeline.hpp"

namespace aclvk::runtime {

class StreamQueue;
struct Point;

/// Orders the tasks of all streams of the process. A call on one stream may unblock tasks of any other streams, in any
/// pattern; with a single lock, scheduler_mutex, there is no lock order to violate (docs/adr/0003). The lock is held
/// while tasks are recorded and submitted, never while a thread waits for the device or runs code of the program.
class Scheduler {
 public:
  /// Returns the scheduler of the Process. Its lock is one for the process, scheduler_mutex; a reference passed through
  /// events, copies, models and pools, which have no stream at hand, could name no other scheduler. Streams refer to it
  /// by their StreamIdentity.
  static Scheduler& instance();

  void add_queue(StreamQueue* queue) REQUIRES(scheduler_mutex);
  void remove_queue(StreamQueue* queue) REQUIRES(scheduler_mutex) {
    queues_.erase(queue);
    blocked_.erase(queue);
    unblocked_.erase(queue);
  }
  const std::set<StreamQueue*>& queues() const REQUIRES(scheduler_mutex) { return queues_; }
  /// Returns the queue that signals the timeline; null for timelines that belong to no stream.
  StreamQueue* find_queue(const vk::Timeline& timeline) const REQUIRES(scheduler_mutex);

  /// Adds a queue with pending tasks. settle() retries it after each change.
  void add_blocked(StreamQueue* queue) noexcept REQUIRES(scheduler_mutex) {
    blocked_.insert(unblocked_.extract(queue));
  }
  void remove_blocked(StreamQueue* queue) noexcept REQUIRES(scheduler_mutex) {
    unblocked_.insert(blocked_.extract(queue));
  }

  /// Notes a change that a blocked queue may wait for: a record was submitted, a flag set, a word written.
  void changed() REQUIRES(scheduler_mutex) { changed_ = true; }
  /// Retries blocked queues until there are no further changes, then wakes the host threads in wait().
  void settle() noexcept REQUIRES(scheduler_mutex);
  /// Ends waits whose limit has passed. Logs each wait of more than ACLVK_WAIT_REPORT_MS once. Called about once a
  /// second.
  void check_waits() REQUIRES(scheduler_mutex);
  /// Blocks the calling host thread, without the lock, until `ready` returns true or the deadline (null: none) passes.
  /// Returns the last value of `ready`.
  bool wait(const std::function<bool()>& ready, const std::chrono::steady_clock::time_point* deadline)
      REQUIRES(scheduler_mutex);
  /// Blocks the calling host thread, without the lock, until the device reaches the point. Returns false at the
  /// deadline and when the point is stuck.
  bool wait_for_device(const vk::TimelinePoint& point, const std::chrono::steady_clock::time_point* deadline)
      REQUIRES(scheduler_mutex);
  /// Returns true while an overdue submission (TimeoutDetector) keeps the point from being reached.
  bool stuck(const vk::TimelinePoint& point) const REQUIRES(scheduler_mutex);
  /// Returns true while an overdue submission keeps a point, submitted or still pending, from being reached.
  bool stuck(const Point& point) const REQUIRES(scheduler_mutex);

 private:
  std::condition_variable_any condition_;
  std::set<StreamQueue*> queues_ GUARDED_BY(scheduler_mutex);
  std::set<StreamQueue*> blocked_ GUARDED_BY(scheduler_mutex);
  bool changed_ GUARDED_BY(scheduler_mutex) = false;
  // The other queues. Moving a node between the sets allocates nothing.
  std::set<StreamQueue*> unblocked_ GUARDED_BY(scheduler_mutex);
  // The queues that settle() retries. Has capacity for all.
  std::vector<StreamQueue*> retried_ GUARDED_BY(scheduler_mutex);
};

/// Holds the scheduler lock, and settles the scheduler before it releases the lock. For every call that may change
/// something that other streams wait for.
class SCOPED_CAPABILITY SchedulerLock {
 public:
  SchedulerLock() ACQUIRE(scheduler_mutex) : scheduler_(Scheduler::instance()) { scheduler_mutex.lock(); }
  ~SchedulerLock() RELEASE() {
    scheduler_.settle();
    scheduler_mutex.unlock();
  }
  SchedulerLock(const SchedulerLock&) = delete;
  SchedulerLock& operator=(const SchedulerLock&) = delete;

  /// Writes the log lines that were deferred under the lock. Returns true when it released the lock in between. For
  /// threads that hold the lock for long.
  static bool write_log() REQUIRES(scheduler_mutex) {
    if (!LogDeferral::pending()) return false;
    const UnlockedScope unlocked(scheduler_mutex);
    LogDeferral::flush();
    return true;
  }

 private:
  // Destroyed after the lock is released: a log callback of the program may call functions that take the lock.
  const LogDeferral deferral_;
  Scheduler& scheduler_;
};

}  // namespace aclvk::runtime
