#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "runtime/failure/failures.hpp"
#include "runtime/stream/backlog.hpp"
#include "runtime/stream/task.hpp"
#include "vk_device/queue.hpp"

namespace aclvk::runtime {

class Device;

namespace profile {
struct TimedTasks;
}

/// The tasks of one stream on their way to the device. Tasks that can go are recorded into the open batch, which is
/// submitted when the device has nothing of this stream to do, when it is full, and whenever somebody looks (ADR 0014).
/// A task whose dependency has not even been submitted stays in a list on the host, with all that follow (ADR 0003), as
/// does one that comes while the device has much of this stream to do. All members need the scheduler's lock.
class StreamQueue {
 public:
  StreamQueue(Device& device, std::size_t queue_index, std::uint32_t stream_id, std::shared_ptr<Failures> failures);
  ~StreamQueue();
  StreamQueue(const StreamQueue&) = delete;
  StreamQueue& operator=(const StreamQueue&) = delete;

  /// Throws as check_takes_tasks() does.
  void push(Task&& task);
  /// Throws the error that the context has stopped at, and that of a lost device.
  void check_takes_tasks() const;
  /// The same as push() behind that check. What fails is kept.
  void push_unchecked(Task&& task) noexcept;
  bool stops_at_failures() const { return failures_->stop(); }
  /// Goes on with the list, if there is one; called by the scheduler after a change. What fails is kept.
  void pump() noexcept;

  /// Submits the open batch. Afterwards `submitted()` covers every task that is not in the list.
  vk::TimelinePoint flush();
  /// The same, and a failure is kept for the stream's next synchronisation. For callers that are no user of the stream.
  void flush_now() noexcept;
  /// The same, and what is held back goes out as well, however much the device has to do.
  void flush_all() noexcept;
  /// The point that covers all that has been submitted.
  vk::TimelinePoint submitted() const { return {timeline_, submitted_}; }
  /// Names the tasks of which each comes after the one before: all of this stream until some are dropped.
  std::uint32_t epoch() const { return epoch_; }
  const vk::Timeline& timeline() const { return *timeline_; }
  /// The frees of pool memory that come before the next task.
  FreeCounts frees;
  /// Forgets those of orders that have ended, once there are many.
  void trim_frees();
  /// A Point at the end of all tasks pushed so far.
  PointPtr record_point();
  /// The same, but submits nothing: it has its place once that is submitted which is open now.
  PointPtr end_point();
  /// All later tasks come after the point. What it stands for is submitted before.
  void wait_in_order(const PointPtr& point);
  /// Whether a task may use the allocation that has not been submitted yet.
  bool may_use(const vk::BufferRange& allocation) const;
  /// Owns `bytes` of an allocation until those tasks have been submitted that may use it and are not yet.
  void retain_for_tasks(const vk::BufferRange& allocation, const std::shared_ptr<void>& bytes);
  bool blocked() const { return !pending_.empty(); }
  /// The list is long, and only the device has to go on for it to become shorter: who launches should wait.
  bool launches_throttled() const;
  /// Nothing to do now or later: no list, no open batch, everything submitted has completed.
  bool idle() const;
  /// What the first blocked task waits for, for the log.
  std::string waits_for() const;
  /// Ends the first task's wait when its limit is over; logs each long one, once.
  void check_wait();

  /// Forgets all tasks that have not been submitted, and failures that nobody has heard of. Whoever waits for what was
  /// dropped gets `reason`: kStreamAbort or kDeviceTaskAbort.
  void drop_pending(Code reason) noexcept;
  /// The record of the point will not be done; see Point::superseded_by.
  void cancel(const PointPtr& point, const std::vector<PointPtr>& superseded_by = {}) noexcept;
  Code drop_reason() const { return drop_reason_; }
  /// The device is lost: the stream fails with that, and nobody waits for its tasks any more.
  void on_device_lost(const Error& loss);

  /// What a synchronisation has to report: the first failure since the last one, dropped tasks, or what the context has
  /// stopped at.
  std::optional<Error> take_error();
  /// The same, and the next synchronisation reports it, too.
  std::optional<Error> peek_error() const;
  /// A task has failed; listeners are told on another thread.
  void report_error(const Error& error, const Task* task = nullptr) noexcept;
  /// All listeners have heard of all failures.
  bool listeners_notified() const { return *pending_notifications_ == 0; }

  /// The submission with this value runs longer than it may. The streams behind it learn of it, too.
  void on_timeout(std::uint64_t value, std::chrono::microseconds limit);
  /// Such a submission, of whatever stream, is still at work, and the point comes after it.
  bool stuck_before(std::uint64_t value) const { return stuck_from_ <= value && !stuck_by_.reached(); }
  /// The same for tasks that are kept on the host.
  bool stuck() const { return !pending_.empty() && stuck_before(submitted_); }

  // For procedures, which submit by themselves:

  Device& device() { return device_; }
  std::uint32_t stream_id() const { return stream_id_; }
  /// Later submissions wait for the point on the device.
  void wait_for(const vk::TimelinePoint& point);
  /// One vkQueueSubmit2 of finished command buffers, after the open batch.
  vk::TimelinePoint submit(std::vector<std::shared_ptr<vk::CommandBuffer>> commands);
  /// Does the task, or returns false when it must wait for something on the host. Throws.
  bool run_task(Task& task);
  /// The same for a step of a model, which comes behind the submission `start` and need not wait for later ones, of
  /// other branches.
  bool run_step(Task& task, std::uint64_t start);
  /// The point that covers what comes before the task that is looked at; it has been submitted.
  vk::TimelinePoint flush_preceding();
  /// The submission that covers all tasks so far; that of the open batch, if there is one, is still to come.
  std::uint64_t newest_submission() const { return submitted_ + (open_batch_ || !open_waits_.empty() ? 1 : 0); }
  bool wait_point(const PointPtr& point);
  void set_point(const PointPtr& point);
  /// Records device work into the open batch; for a model's run where its tasks are wanted one by one.
  void record(const Task& task);
  /// Runs a secondary as part of the open batch.
  void execute(const std::shared_ptr<vk::CommandBuffer>& secondary);
  /// Reads device memory as the tasks up to the point leave it; false when they are not done, and it must be asked
  /// again.
  bool try_read(const vk::BufferRange& range, const vk::TimelinePoint& before, void* out);
  /// Blocked queues are tried again when the tasks so far are done, not before the scheduler's lock has been free: for
  /// loops, which may last for ever.
  void retry_when_done();

 private:
  static constexpr std::size_t kTrimFreesAt = 64;

  /// A task that cannot be done yet.
  struct Pending {
    Task task;
    std::uint32_t thread;  // that launched it
    std::list<std::shared_ptr<void>> retained{};
  };

  void add(Task&& task) noexcept;
  void add_pending(Task&& task) noexcept;
  bool device_is_idle() noexcept;
  void schedule_flush() noexcept;
  void unschedule_flush() noexcept;
  bool attempt(Task& task) noexcept;
  bool throttle() noexcept;
  bool run(Task& task) noexcept;
  void advance();
  static std::uint32_t next_epoch();
  void abandon_pending() noexcept;
  void abandon_procedure(const ProcedureTask& task, const std::vector<PointPtr>& superseded_by) noexcept;
  std::string drop_sentence(Code reason) const noexcept;
  void abandon(const Task& task, const std::vector<PointPtr>& superseded_by = {}) noexcept;
  void after_push() noexcept;
  void set_blocked() noexcept;
  void report_current_error(const Task* task = nullptr) noexcept;
  void notify_listeners(const Error& error, const Task* task);
  vk::CommandRecorder& recorder();
  void submit_batch(std::vector<std::shared_ptr<vk::CommandBuffer>> commands);
  void resolve_open_end() noexcept;
  void cancel_open_end() noexcept;
  bool timed() const;
  void record_timed(const Task& task);
  void pass_to_profiler(std::shared_ptr<profile::TimedTasks> timed);

  // What signal tasks do; those that return false must wait.
  bool wait_submitted(const vk::TimelinePoint& point, const Device* origin);
  bool wait_superseding(const Point& point);
  bool wait_remote(const RemoteWork& work);
  bool wait_flag(const Flag& flag);
  bool take_shared_flag(SharedFlag& flag);
  bool wait_count(const CountWaitTask& wait);
  void set_flag(Flag& flag);
  void write_value(const ValueWriteTask& task);
  bool wait_value(const ValueWaitTask& task);
  bool word_writes_complete(const vk::BufferRange& word);
  /// Tells other processes what has become of the point, once it has been reached.
  std::function<void()> shared_event_notifier(const PointPtr& point) const;
  /// Blocked queues are tried again when the point, of a stream of the device, has been reached.
  void retry_when(const vk::TimelinePoint& point, const Device& device);
  void set_timed_point(const PointPtr& point);
  bool run_on_host(HostTask& task);

  Device& device_;
  vk::Queue& queue_;
  const std::uint32_t stream_id_;
  std::uint32_t epoch_;
  std::uint64_t pending_records_ = 0;  // that there have been
  std::size_t trim_frees_at_ = kTrimFreesAt;
  std::shared_ptr<vk::Timeline> timeline_;
  std::uint64_t submitted_ = 0;
  Backlog backlog_;
  std::vector<vk::TimelinePoint> retry_points_;  // the list is tried again when one of these has been reached
  std::unique_ptr<vk::CommandRecorder> open_batch_;
  std::list<std::shared_ptr<void>> retained_;   // for the open batch
  std::shared_ptr<profile::TimedTasks> timed_;  // of the open batch; null unless somebody profiles
  bool in_burst_ = false;                       // the open batch follows closely on another
  bool flush_scheduled_ = false;                // the watcher knows of the open batch
  std::chrono::steady_clock::time_point last_batch_;
  std::vector<vk::TimelinePoint> open_waits_;
  PointPtr open_end_;  // the end of what is open; null unless somebody has asked for it
  std::deque<Pending> pending_;
  bool throttling_ = true;              // there is a bound to what the device may have to do
  bool front_started_ = false;          // the first of the list: else it waits for the device to have less to do
  std::uint32_t processed_tasks_ = 0;   // tasks that are not pending any more: the number of the one that is looked at
  std::uint32_t launching_thread_ = 0;  // that launched the task that is looked at
  std::optional<std::uint64_t> step_start_;  // of the step of a model that is looked at
  std::shared_ptr<Failures> failures_;
  std::shared_ptr<int> pending_notifications_ = std::make_shared<int>(0);  // failures that listeners have not heard of
  bool halted_ = false;  // the failure that has stopped the context was here
  std::optional<Error> error_;
  std::optional<Error> dropped_;  // until a synchronisation tells of it, or the next task
  Code drop_reason_ = Code::kStreamAbort;
  std::uint64_t timed_out_ = 0;   // the last submission that was found to run for too long
  std::uint64_t stuck_from_ = 0;  // the first submission that comes after stuck_by_
  vk::TimelinePoint stuck_by_;    // the end of one that runs for too long, of whatever stream
  std::chrono::steady_clock::time_point blocked_since_;
  std::chrono::steady_clock::time_point reported_at_;
  std::string reported_wait_;
};

}  // namespace aclvk::runtime
