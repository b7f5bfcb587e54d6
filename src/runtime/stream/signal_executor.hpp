#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/stream/open_batch.hpp"
#include "runtime/stream/pending_tasks.hpp"
#include "runtime/stream/stream_errors.hpp"
#include "runtime/stream/stream_identity.hpp"
#include "runtime/task/scheduler_mutex.hpp"
#include "runtime/task/task.hpp"
#include "vk_device/device/device.hpp"

namespace aclvk::runtime {

/// Executes the tasks of class kSignal (runtime/task/task_row.hpp): records and waits of events and notifies, counts,
/// words, and host functions. A wait whose work has been submitted becomes a semaphore wait of the open batch; any
/// other wait is run again after a change. Owns only the points at which the watcher retries the stream.
///
/// Owned by the StreamQueue, which passes it these tasks; procedures use the points and reads directly.
class SignalExecutor {
 public:
  /// The references must outlive this object.
  SignalExecutor(const StreamIdentity& stream, vk::Device& gpu, const PendingTasks& pending, StreamErrors& errors,
                 OpenBatch& batch)
      : stream_(stream), gpu_(gpu), pending_(pending), errors_(errors), batch_(batch) {}

  // Execution of a task. Each function returns false when the task must wait on the host and be run again. Throw.

  bool run(const EventRecordTask& record) REQUIRES(scheduler_mutex);
  bool run(const EventWaitTask& wait) REQUIRES(scheduler_mutex);
  bool run(const EventResetTask& reset) REQUIRES(scheduler_mutex);
  bool run(const NotifyRecordTask& record) REQUIRES(scheduler_mutex);
  bool run(const NotifyWaitTask& wait) REQUIRES(scheduler_mutex);
  bool run(const CountRecordTask& record) REQUIRES(scheduler_mutex);
  bool run(const CountWaitTask& wait) REQUIRES(scheduler_mutex);
  bool run(const ValueWriteTask& write) REQUIRES(scheduler_mutex);
  bool run(const ValueWaitTask& wait) REQUIRES(scheduler_mutex);
  bool run(HostTask& host) REQUIRES(scheduler_mutex);

  // Points.

  /// Makes later tasks wait for the point. Returns false when that is not possible before a change on the host.
  bool wait_point(const PointPtr& point) REQUIRES(scheduler_mutex);
  /// Gives the point its timeline value, after all tasks so far.
  void set_point(const PointPtr& point) REQUIRES(scheduler_mutex);
  /// Cancels a record that will not be processed. Waiters then wait for the work submitted so far and `superseded_by`.
  void cancel(const PointPtr& point, const std::vector<PointPtr>& superseded_by = {}) noexcept
      REQUIRES(scheduler_mutex);

  // Steps of models.

  /// While it lives, a step of a model is run whose predecessors are complete with the submission `start`. Later
  /// submissions belong to other branches of the model, so the step does not wait for them.
  class StepScope {
   public:
    StepScope(SignalExecutor& executor, std::uint64_t start)
        : start_(executor.step_start_), outer_(std::exchange(executor.step_start_, start)) {}
    ~StepScope() { start_ = outer_; }
    StepScope(const StepScope&) = delete;
    StepScope& operator=(const StepScope&) = delete;

   private:
    std::optional<std::uint64_t>& start_;
    const std::optional<std::uint64_t> outer_;  // of the conditional task that contains the step
  };
  /// Submits what precedes the task that is being run, and returns the point that covers it.
  vk::TimelinePoint flush_preceding() REQUIRES(scheduler_mutex);
  /// Reads device memory once the work up to `before` is complete. Until then returns false, and the queue is retried
  /// when it is.
  bool try_read(const vk::BufferRange& range, const vk::TimelinePoint& before, void* out) REQUIRES(scheduler_mutex);

  // Retries of blocked queues.

  /// Makes the watcher of the device retry blocked queues when the point has been reached.
  void retry_when(const vk::TimelinePoint& point, const Device& device) REQUIRES(scheduler_mutex);
  /// Retries blocked queues when the tasks so far are complete. The watcher thread does so, after other threads could
  /// take the scheduler lock: a model may loop for ever.
  void retry_when_done() REQUIRES(scheduler_mutex);

 private:
  bool wait_submitted(const vk::TimelinePoint& point, const Device* origin) REQUIRES(scheduler_mutex);
  bool wait_superseding(const Point::Cancelled& point) REQUIRES(scheduler_mutex);
  bool wait_remote(const RemoteWork& work) REQUIRES(scheduler_mutex);
  bool wait_flag(const Flag& flag) REQUIRES(scheduler_mutex);
  bool take_shared_flag(SharedFlag& flag) REQUIRES(scheduler_mutex);
  void set_flag(Flag& flag) REQUIRES(scheduler_mutex);
  void set_timed_point(const PointPtr& point) REQUIRES(scheduler_mutex);
  bool word_writes_complete(const vk::BufferRange& word) REQUIRES(scheduler_mutex);
  /// Returns an action that notifies other processes that the record is complete, or that its device was lost.
  std::function<void()> shared_event_notifier(const SharedRecord& record) const REQUIRES(scheduler_mutex);

  const StreamIdentity stream_;
  vk::Device& gpu_;
  const PendingTasks& pending_;
  StreamErrors& errors_;
  OpenBatch& batch_;
  std::vector<vk::TimelinePoint> retry_points_ GUARDED_BY(scheduler_mutex);  // that retry_when() has registered
  std::optional<std::uint64_t> step_start_ GUARDED_BY(scheduler_mutex);      // of the innermost StepScope
};

}  // namespace aclvk::runtime
