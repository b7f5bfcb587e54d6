#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/error.hpp"
#include "runtime/stream/open_batch.hpp"
#include "runtime/stream/pending_tasks.hpp"
#include "runtime/stream/signal_executor.hpp"
#include "runtime/stream/stream_errors.hpp"
#include "runtime/stream/stream_identity.hpp"
#include "runtime/task/scheduler_mutex.hpp"
#include "runtime/task/task.hpp"

namespace aclvk::runtime {

class Device;

/// Processes the tasks of one stream in order, and submits their device work to a VkQueue. A task is run when it is
/// pushed, unless it must wait on the host or comes after one that does: then it is pending, and is run again after a
/// change (docs/adr/0003). Tasks are also pending while the device has a full backlog of the stream (docs/adr/0014).
///
/// Decides which part runs a task, and in which order the parts act: PendingTasks stores what waits on the host,
/// OpenBatch records and submits device work, SignalExecutor runs the other tasks, and StreamErrors stores what fails.
/// Owns these parts. Owned by the Stream; Scheduler and Watcher refer to it, and procedures use its parts.
class StreamQueue {
 public:
  StreamQueue(Device& device, std::size_t queue_index, std::uint32_t stream_id, std::shared_ptr<Failures> failures);
  ~StreamQueue();
  StreamQueue(const StreamQueue&) = delete;
  StreamQueue& operator=(const StreamQueue&) = delete;

  /// Adds a task. Throws what check_accepts_tasks() throws; a failure of the task itself is reported to errors().
  void push(Task&& task) REQUIRES(scheduler_mutex);
  /// Throws the error of a lost device, or the error that has stopped the context.
  void check_accepts_tasks() const REQUIRES(scheduler_mutex);
  /// Adds a task without the check. Requires that check_accepts_tasks() has passed.
  void push_unchecked(Task&& task) noexcept REQUIRES(scheduler_mutex);
  /// Processes the pending list up to the first task that must wait. The scheduler calls it after a change; failures
  /// are reported to errors().
  void pump() noexcept REQUIRES(scheduler_mutex);

  /// Submits the open batch and all throttled tasks, whatever the backlog.
  void flush_all() noexcept REQUIRES(scheduler_mutex);
  /// The stream-ordered frees that precede the next task.
  FreeCounts frees GUARDED_BY(scheduler_mutex);
  /// Removes the entries of epochs that have ended, once there are many entries.
  void trim_frees() REQUIRES(scheduler_mutex);
  /// Records a Point after all tasks pushed so far, and submits them as far as possible. Ends a burst of launches.
  PointPtr record_point() REQUIRES(scheduler_mutex);
  /// Returns a Point after all tasks pushed so far without submitting them: it gets its timeline value when the open
  /// batch is submitted.
  PointPtr end_point() REQUIRES(scheduler_mutex);
  /// Makes all later tasks wait for an end_point() of any stream. Submits the open batch that the point ends.
  void wait_in_order(const PointPtr& point) REQUIRES(scheduler_mutex);
  /// Returns true when a task that has not been submitted may use the allocation.
  bool may_use(const vk::BufferRange& allocation) const REQUIRES(scheduler_mutex);
  /// Keeps `bytes`, the memory of the allocation, alive until the tasks that may use it have been submitted.
  void retain_for_tasks(const vk::BufferRange& allocation, const std::shared_ptr<void>& bytes)
      REQUIRES(scheduler_mutex);
  /// Returns true when the pending list is long and waits for nothing but the device. A launch then waits.
  bool launches_throttled() const REQUIRES(scheduler_mutex);
  /// Returns true when no task is pending or in the open batch and all submissions have completed.
  bool idle() const REQUIRES(scheduler_mutex);
  /// Ends the first pending task's wait when its limit has passed. Logs a long wait once.
  void check_wait() REQUIRES(scheduler_mutex);

  /// Drops the pending list and errors that were not reported. Waiters for dropped tasks get `reason`: kStreamAbort or
  /// kDeviceTaskAbort.
  void drop_pending(Code reason) noexcept REQUIRES(scheduler_mutex);
  /// Fails the stream with the loss of its device and drops its tasks, so that no waiter depends on them.
  void on_device_lost(const Error& loss) REQUIRES(scheduler_mutex);

  /// Calls errors().take() or errors().peek() with the loss of the device.
  std::optional<Error> take_error() REQUIRES(scheduler_mutex);
  std::optional<Error> peek_error() const REQUIRES(scheduler_mutex);

  /// Handles a submission of this stream that has exceeded its time limit: reports kAicoreTimeout, and marks as stuck
  /// every stream with submissions that cannot complete before it.
  void on_timeout(std::uint64_t value, std::chrono::microseconds limit) REQUIRES(scheduler_mutex);
  /// Returns true while an overdue submission keeps pending tasks on the host.
  bool stuck() const REQUIRES(scheduler_mutex) {
    return !pending_.empty() && errors_.stuck_before(batch_.submitted().value);
  }

  // The parts. Procedures record and submit with batch(), and use the points and reads of signals().

  const PendingTasks& pending() const REQUIRES(scheduler_mutex) { return pending_; }
  StreamErrors& errors() REQUIRES(scheduler_mutex) { return errors_; }
  OpenBatch& batch() REQUIRES(scheduler_mutex) { return batch_; }
  SignalExecutor& signals() REQUIRES(scheduler_mutex) { return signals_; }

  // For implementations of Procedure:

  Device& device() { return device_; }
  std::uint32_t stream_id() const { return identity_.id; }
  /// Records or executes a task; returns false when it must wait on the host and be run again. Throws.
  bool run_task(Task& task) REQUIRES(scheduler_mutex);
  /// Runs a step of a model as run_task() does. The predecessors of the step are complete with the submission `start`;
  /// later submissions belong to other branches of the model, so the step does not wait for them.
  bool run_step(Task& task, std::uint64_t start) REQUIRES(scheduler_mutex);

 private:
  static constexpr std::size_t kTrimFreesAt = 64;  // fewer entries cost less than a search for live epochs

  void add(Task&& task) noexcept REQUIRES(scheduler_mutex);
  void add_pending(Task&& task) noexcept REQUIRES(scheduler_mutex);
  bool attempt(Task& task) noexcept REQUIRES(scheduler_mutex);
  bool throttle() noexcept REQUIRES(scheduler_mutex);
  void pop_pending() REQUIRES(scheduler_mutex);
  void abandon_pending() noexcept REQUIRES(scheduler_mutex);
  void set_blocked() noexcept REQUIRES(scheduler_mutex);

  Device& device_;
  const StreamIdentity identity_;
  PendingTasks pending_ GUARDED_BY(scheduler_mutex);
  StreamErrors errors_ GUARDED_BY(scheduler_mutex);
  OpenBatch batch_ GUARDED_BY(scheduler_mutex);
  SignalExecutor signals_ GUARDED_BY(scheduler_mutex);
  std::size_t trim_frees_at_ GUARDED_BY(scheduler_mutex) = kTrimFreesAt;
  bool throttling_ GUARDED_BY(scheduler_mutex) = true;  // false inside flush_all()
};

}  // namespace aclvk::runtime
