#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <set>
#include <vector>

#include "base/fair_mutex.hpp"
#include "base/log_deferral.hpp"
#include "vk_device/timeline.hpp"

namespace aclvk::runtime {

class StreamQueue;
struct Point;

/// The order of things between streams. One lock for all of them: a call on one stream may set free tasks of others, in
/// any pattern, and with one lock that needs no rules (docs/adr/0003). It is held while tasks are recorded and
/// submitted, never while the device is waited for or user code runs.
class Scheduler {
 public:
  static Scheduler& instance();

  using Lock = std::unique_lock<FairMutex>;
  FairMutex& mutex() { return mutex_; }

  // With the lock held:

  void add_queue(StreamQueue* queue);
  void remove_queue(StreamQueue* queue) {
    queues_.erase(queue);
    blocked_.erase(queue);
    unblocked_.erase(queue);
  }
  const std::set<StreamQueue*>& queues() const { return queues_; }
  /// The queue whose clock the timeline is; null for timelines of our own.
  StreamQueue* find_queue(const vk::Timeline& timeline) const;

  /// A queue that could not finish its tasks; tried again whenever something has changed.
  void add_blocked(StreamQueue* queue) noexcept { blocked_.insert(unblocked_.extract(queue)); }
  void remove_blocked(StreamQueue* queue) noexcept { unblocked_.insert(blocked_.extract(queue)); }

  /// Something that a blocked queue may wait for has happened: a record was submitted, a flag set, a word written.
  void changed() { changed_ = true; }
  /// Runs blocked queues until nothing moves any more, then wakes host threads that wait.
  void settle() noexcept;
  /// Ends waits whose limit is over. Logs, once each, the streams that have been blocked for longer than
  /// ACLVK_WAIT_REPORT_MS, and what they wait for. To be called about once a second.
  void check_waits();
  /// Blocks the calling host thread until `ready` or the time is up; gives the lock away meanwhile.
  bool wait(Lock& lock, const std::function<bool()>& ready, const std::chrono::steady_clock::time_point* deadline);
  /// The same until the device has reached the point. Gives up on one that is stuck.
  bool wait_for_device(Lock& lock, const vk::TimelinePoint& point,
                       const std::chrono::steady_clock::time_point* deadline);
  /// A task in front of the point has been found to run for too long, and still does.
  bool stuck(const vk::TimelinePoint& point) const;
  /// The same for a moment that may have no place on a timeline yet.
  bool stuck(const Point& point) const;

 private:
  FairMutex mutex_;
  std::condition_variable_any condition_;
  std::set<StreamQueue*> queues_;
  std::set<StreamQueue*> blocked_;
  bool changed_ = false;
  std::set<StreamQueue*> unblocked_;  // those that are not; entries go to and fro, which needs no memory
  std::vector<StreamQueue*> turn_;    // the blocked ones that are tried; has room for all queues
};

/// Takes the scheduler's lock and settles when it goes: what every call does that may change what others wait for.
class SchedulerLock {
 public:
  SchedulerLock() : lock_(Scheduler::instance().mutex()) {}
  ~SchedulerLock() {
    if (lock_.owns_lock()) Scheduler::instance().settle();
  }
  SchedulerLock(const SchedulerLock&) = delete;
  SchedulerLock& operator=(const SchedulerLock&) = delete;

  Scheduler::Lock& get() { return lock_; }

  /// Writes what has been logged under the lock, for who holds it for long. True when the lock was let go for that.
  bool write_log() {
    if (!LogDeferral::pending()) return false;
    lock_.unlock();
    LogDeferral::flush();
    lock_.lock();
    return true;
  }

 private:
  // Ends behind the lock: functions of the program that get lines of the log may call what takes it.
  const LogDeferral deferral_;
  Scheduler::Lock lock_;
};

}  // namespace aclvk::runtime
