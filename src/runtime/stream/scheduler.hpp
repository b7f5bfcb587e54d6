#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <set>
#include <vector>

#include "base/fair_mutex.hpp"
#include "base/log_deferral.hpp"
#include "vk_device/submission/timeline.hpp"

namespace aclvk::runtime {

class StreamQueue;
struct Point;

/// Orders the tasks of all streams of the process, and owns the scheduler lock. A call on one stream may unblock tasks
/// of any other streams, in any pattern; with a single lock there is no lock order to violate (docs/adr/0003). The lock
/// is held while tasks are recorded and submitted, never while a thread waits for the device or runs code of the
/// program.
class Scheduler {
 public:
  static Scheduler& instance();

  using Lock = std::unique_lock<FairMutex>;
  FairMutex& mutex() { return mutex_; }

  // Members from here on require the lock.

  void add_queue(StreamQueue* queue);
  void remove_queue(StreamQueue* queue) {
    queues_.erase(queue);
    blocked_.erase(queue);
    unblocked_.erase(queue);
  }
  const std::set<StreamQueue*>& queues() const { return queues_; }
  /// Returns the queue that signals the timeline; null for timelines that belong to no stream.
  StreamQueue* find_queue(const vk::Timeline& timeline) const;

  /// Adds a queue with pending tasks. settle() retries it after each change.
  void add_blocked(StreamQueue* queue) noexcept { blocked_.insert(unblocked_.extract(queue)); }
  void remove_blocked(StreamQueue* queue) noexcept { unblocked_.insert(blocked_.extract(queue)); }

  /// Notes a change that a blocked queue may wait for: a record was submitted, a flag set, a word written.
  void changed() { changed_ = true; }
  /// Retries blocked queues until there are no further changes, then wakes the host threads in wait().
  void settle() noexcept;
  /// Ends waits whose limit has passed. Logs each wait of more than ACLVK_WAIT_REPORT_MS once. Called about once a
  /// second.
  void check_waits();
  /// Blocks the calling host thread, without the lock, until `ready` returns true or the deadline (null: none) passes.
  /// Returns the last value of `ready`.
  bool wait(Lock& lock, const std::function<bool()>& ready, const std::chrono::steady_clock::time_point* deadline);
  /// Blocks the calling host thread, without the lock, until the device reaches the point. Returns false at the
  /// deadline and when the point is stuck.
  bool wait_for_device(Lock& lock, const vk::TimelinePoint& point,
                       const std::chrono::steady_clock::time_point* deadline);
  /// Returns true while an overdue submission (TimeoutDetector) keeps the point from being reached.
  bool stuck(const vk::TimelinePoint& point) const;
  /// Returns true while an overdue submission keeps a point, submitted or still pending, from being reached.
  bool stuck(const Point& point) const;

 private:
  FairMutex mutex_;
  std::condition_variable_any condition_;
  std::set<StreamQueue*> queues_;
  std::set<StreamQueue*> blocked_;
  bool changed_ = false;
  std::set<StreamQueue*> unblocked_;   // the other queues; moving a node between the sets allocates nothing
  std::vector<StreamQueue*> retried_;  // the queues that settle() retries; has capacity for all
};

/// Holds the scheduler lock, and settles the scheduler before it releases the lock. For every call that may change
/// something that other streams wait for.
class SchedulerLock {
 public:
  SchedulerLock() : lock_(Scheduler::instance().mutex()) {}
  ~SchedulerLock() {
    if (lock_.owns_lock()) Scheduler::instance().settle();
  }
  SchedulerLock(const SchedulerLock&) = delete;
  SchedulerLock& operator=(const SchedulerLock&) = delete;

  Scheduler::Lock& get() { return lock_; }

  /// Writes the log lines that were deferred under the lock. Returns true when it released the lock in between. For
  /// threads that hold the lock for long.
  bool write_log() {
    if (!LogDeferral::pending()) return false;
    lock_.unlock();
    LogDeferral::flush();
    lock_.lock();
    return true;
  }

 private:
  // Destroyed after the lock is released: a log callback of the program may call functions that take the lock.
  const LogDeferral deferral_;
  Scheduler::Lock lock_;
};

}  // namespace aclvk::runtime
