#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <string>
#include <utility>

#include "runtime/failure/failed_task.hpp"
#include "runtime/task/scheduler_mutex.hpp"
#include "runtime/task/task.hpp"

namespace aclvk::runtime {

/// The tasks of a stream that stay on the host, oldest first: the first one waits for work that has not been submitted,
/// or is throttled, and the others come after it (docs/adr/0003, 0014). Owns these tasks and the freed memory that they
/// may still use. Also counts the tasks of the stream that have been processed, pending or not: the number and the
/// launching thread identify a failed task.
///
/// Owned by the StreamQueue, which processes the tasks; Scheduler and Stream read it.
class PendingTasks {
 public:
  using Time = std::chrono::steady_clock::time_point;

  bool empty() const REQUIRES(scheduler_mutex) { return tasks_.empty(); }
  std::size_t size() const REQUIRES(scheduler_mutex) { return tasks_.size(); }
  Task& front() REQUIRES(scheduler_mutex) { return tasks_.front().task; }
  /// The memory that retain() has given to the first task.
  std::list<std::shared_ptr<void>>& memory_of_front() REQUIRES(scheduler_mutex) { return tasks_.front().memory; }
  /// Appends a task, launched by launching_thread(), and numbers the Point of a record. When it throws, `task` is
  /// unchanged.
  void add(Task&& task) REQUIRES(scheduler_mutex);
  /// Removes the first task, which has been processed.
  void pop_front() REQUIRES(scheduler_mutex);
  /// Removes all tasks, the first one first: calls `drop(task)` and removes it before the next call. Then begins a new
  /// epoch. Returns false when there was no task.
  template <typename Drop>
  bool drain(const Drop& drop) REQUIRES(scheduler_mutex) {
    const bool any = !tasks_.empty();
    for (; !tasks_.empty(); tasks_.pop_front(), ++processed_) drop(std::as_const(tasks_.front().task));
    if (any) epoch_ = next_epoch();
    front_started_ = false;
    return any;
  }

  /// Returns the id of the current epoch: a sequence of tasks of the stream that are all ordered. Dropping tasks ends
  /// an epoch, because later tasks do not wait for what the dropped ones would have waited for. Unique in the process.
  std::uint32_t epoch() const REQUIRES(scheduler_mutex) { return epoch_; }

  /// Returns true when a task may use the allocation.
  bool may_use(const vk::BufferRange& allocation) const REQUIRES(scheduler_mutex);
  /// Keeps `bytes`, the memory of the allocation, alive until the last task that may use it has been processed.
  void retain(const vk::BufferRange& allocation, const std::shared_ptr<void>& bytes) REQUIRES(scheduler_mutex);

  // The task that is being run: the first pending one, or a new one while none is pending.

  /// Makes the calling thread the launching thread of a new task.
  void begin_new() REQUIRES(scheduler_mutex) { launching_thread_ = this_thread_id(); }
  void begin_front() REQUIRES(scheduler_mutex) { launching_thread_ = tasks_.front().thread; }
  /// Linux thread id of the thread that launched it.
  std::uint32_t launching_thread() const REQUIRES(scheduler_mutex) { return launching_thread_; }
  /// True when the task has been run and must be run again, or is being run for the first time; false for a throttled
  /// one.
  bool front_started() const REQUIRES(scheduler_mutex) { return front_started_; }
  void set_front_started(bool started) REQUIRES(scheduler_mutex) { front_started_ = started; }
  /// Returns the number of tasks that the stream has processed or dropped.
  std::uint32_t processed() const REQUIRES(scheduler_mutex) { return processed_; }
  /// Counts a task that was never pending.
  void count_processed() REQUIRES(scheduler_mutex) { ++processed_; }

  // The wait of the first task.

  /// Describes what the first task waits for, for the log and for error texts.
  std::string waits_for() const REQUIRES(scheduler_mutex);
  /// Makes `now` the beginning of the wait.
  void begin_wait(Time now) REQUIRES(scheduler_mutex);
  /// Returns the limit of the wait if it has passed; otherwise 0.
  WaitLimit expired_limit(Time now) const REQUIRES(scheduler_mutex);
  /// Logs a wait that is longer than ACLVK_WAIT_REPORT_MS, once.
  void log_long_wait(std::uint32_t stream_id, Time now) REQUIRES(scheduler_mutex);

 private:
  struct Pending {
    Pending(Task&& pending, std::uint32_t launching_thread) : task(std::move(pending)), thread(launching_thread) {}
    Task task;
    std::uint32_t thread;                       // Linux thread id of the thread that launched it
    std::list<std::shared_ptr<void>> memory{};  // see retain()
  };

  static std::uint32_t next_epoch();

  std::uint32_t epoch_ GUARDED_BY(scheduler_mutex) = next_epoch();
  std::uint64_t records_ GUARDED_BY(scheduler_mutex) =
      0;  // records that have been added: the last Point::Queued::number
  std::deque<Pending> tasks_ GUARDED_BY(scheduler_mutex);
  bool front_started_ GUARDED_BY(scheduler_mutex) = false;
  std::uint32_t processed_ GUARDED_BY(scheduler_mutex) = 0;
  std::uint32_t launching_thread_ GUARDED_BY(scheduler_mutex) = 0;
  Time waits_since_ GUARDED_BY(scheduler_mutex);
  Time logged_at_ GUARDED_BY(scheduler_mutex);           // when log_long_wait() logged last
  std::string logged_wait_ GUARDED_BY(scheduler_mutex);  // and the wait that it logged
};

}  // namespace aclvk::runtime
