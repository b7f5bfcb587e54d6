#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <vector>

#include "runtime/stream/backlog.hpp"
#include "runtime/stream/burst.hpp"
#include "runtime/stream/stream_errors.hpp"
#include "runtime/stream/stream_identity.hpp"
#include "runtime/task/scheduler_mutex.hpp"
#include "runtime/task/task.hpp"
#include "vk_device/device/device.hpp"

namespace aclvk::runtime {

class ObservedBatch;
class StreamObserver;

/// The device work of a stream that has been recorded and not submitted, and its submissions. Owns the stream's
/// timeline, the command buffer that is being recorded (the batch is open while there is one), the semaphore waits of
/// the next submission, and freed memory that the open batch uses.
///
/// A batch is submitted when it is full, when the device has completed all earlier work of the stream, and when a
/// caller depends on it (docs/adr/0014). Submission N signals the value N of the timeline. Owned by the StreamQueue,
/// whose parts, procedures and the Watcher use it.
class OpenBatch {
 public:
  /// Reports failures to `errors`, which must outlive this object.
  OpenBatch(const StreamIdentity& stream, vk::Device& gpu, vk::Queue& queue, StreamErrors& errors);
  ~OpenBatch();
  OpenBatch(const OpenBatch&) = delete;
  OpenBatch& operator=(const OpenBatch&) = delete;

  // Recording. Each function begins a batch if none is open.

  /// Records device work; while tasks are profiled, with timestamps.
  void record(const Task& task) REQUIRES(scheduler_mutex);
  /// Records the execution of a secondary command buffer.
  void execute(const std::shared_ptr<vk::CommandBuffer>& secondary) REQUIRES(scheduler_mutex) {
    recorder().execute(secondary);
  }
  void write_value(const ValueWriteTask& task) REQUIRES(scheduler_mutex);
  void write_timestamp(const std::shared_ptr<vk::Timestamps>& time) REQUIRES(scheduler_mutex) {
    recorder().write_timestamp(time);
  }

  // Submission.

  /// Submits the open batch and the waits. Returns submitted(), which then covers all work so far.
  vk::TimelinePoint flush() REQUIRES(scheduler_mutex);
  /// Submits the open batch; a failure is reported. For callers that act for another stream.
  void flush_now() noexcept REQUIRES(scheduler_mutex);
  void flush_if_full() noexcept REQUIRES(scheduler_mutex);
  /// Ends a launch. Submits the open batch if it is full or the device is idle; otherwise the watcher does it later.
  void after_push() noexcept REQUIRES(scheduler_mutex);
  /// Submits the open batch, and then the command buffers with one vkQueueSubmit2. Returns submitted().
  vk::TimelinePoint submit(std::vector<std::shared_ptr<vk::CommandBuffer>> commands) REQUIRES(scheduler_mutex);
  /// Makes later submissions wait for the point on the device.
  void wait_for(const vk::TimelinePoint& point) REQUIRES(scheduler_mutex);
  /// Makes the next batch the first one of a burst of launches.
  void end_burst() REQUIRES(scheduler_mutex) { burst_.end(); }
  /// Drops the open batch and the waits, because the device is lost.
  void drop() noexcept REQUIRES(scheduler_mutex);

  // State.

  bool is_open() const REQUIRES(scheduler_mutex) { return recorder_ != nullptr; }
  /// Returns the timeline point that covers all submissions.
  vk::TimelinePoint submitted() const REQUIRES(scheduler_mutex) { return {timeline_, submitted_}; }
  /// Returns the value of the submission that covers all work so far; with an open batch, the value it will get.
  std::uint64_t newest_submission() const REQUIRES(scheduler_mutex) { return submitted_ + (has_unsubmitted() ? 1 : 0); }
  const std::shared_ptr<vk::Timeline>& timeline() const REQUIRES(scheduler_mutex) { return timeline_; }
  /// Returns true when no batch is open and all submissions and waits have completed.
  bool idle() const REQUIRES(scheduler_mutex);
  /// Returns true when the device has a full backlog of submissions of this stream.
  bool backlog_full() REQUIRES(scheduler_mutex) { return backlog_.full(*timeline_); }
  /// Returns the point at which the device has completed half of the backlog.
  vk::TimelinePoint half_of_backlog() const REQUIRES(scheduler_mutex) {
    return {timeline_, backlog_.half_done_value()};
  }

  // Memory and order.

  /// Keeps freed memory alive until the open batch has been submitted; without an open batch does nothing.
  void retain(const std::shared_ptr<void>& memory) REQUIRES(scheduler_mutex);
  /// Takes the elements of the list; without an open batch leaves them in it.
  void retain_all(std::list<std::shared_ptr<void>>& memory) noexcept REQUIRES(scheduler_mutex);
  /// Returns a Point after all work so far without submitting it: it gets its timeline value when the open batch is
  /// submitted.
  PointPtr end_point() REQUIRES(scheduler_mutex);
  /// Returns true when the point is the end_point() of the open batch or of the open waits.
  bool ends_with(const PointPtr& point) const REQUIRES(scheduler_mutex) { return end_ == point; }
  /// Cancels the end_point(). Requires that no batch is open, or that the open batch will not be submitted.
  void cancel_end() noexcept REQUIRES(scheduler_mutex);

 private:
  vk::CommandRecorder& recorder() REQUIRES(scheduler_mutex) { return recorder_ ? *recorder_ : begin(); }
  vk::CommandRecorder& begin() REQUIRES(scheduler_mutex);
  bool has_unsubmitted() const REQUIRES(scheduler_mutex) { return recorder_ || !waits_.empty(); }
  bool device_is_idle() noexcept REQUIRES(scheduler_mutex);
  void schedule_flush() noexcept REQUIRES(scheduler_mutex);
  void unschedule_flush() noexcept REQUIRES(scheduler_mutex);
  void submit_with_waits(std::vector<std::shared_ptr<vk::CommandBuffer>> commands) REQUIRES(scheduler_mutex);
  void resolve_end() noexcept REQUIRES(scheduler_mutex);
  void settle_end(Point::State&& state) noexcept REQUIRES(scheduler_mutex);
  const StreamObserver* observer() const REQUIRES(scheduler_mutex);
  void record_observed(const StreamObserver& observer, const Task& task) REQUIRES(scheduler_mutex);

  const StreamIdentity stream_;
  vk::Device& gpu_;
  vk::Queue& queue_;
  StreamErrors& errors_;
  const std::shared_ptr<vk::Timeline> timeline_;
  std::uint64_t submitted_ GUARDED_BY(scheduler_mutex) = 0;
  Backlog backlog_ GUARDED_BY(scheduler_mutex);
  std::unique_ptr<vk::CommandRecorder> recorder_ GUARDED_BY(scheduler_mutex);  // null unless the batch is open
  std::list<std::shared_ptr<void>> retained_ GUARDED_BY(scheduler_mutex);      // see retain()
  // Of the open batch; null unless its tasks are observed.
  std::unique_ptr<ObservedBatch> observed_ GUARDED_BY(scheduler_mutex);
  Burst burst_ GUARDED_BY(scheduler_mutex);
  bool flush_scheduled_ GUARDED_BY(scheduler_mutex) = false;          // the watcher will flush the open batch
  std::vector<vk::TimelinePoint> waits_ GUARDED_BY(scheduler_mutex);  // semaphore waits of the next submission
  // The end_point() of the open batch; null unless requested.
  PointPtr end_ GUARDED_BY(scheduler_mutex);
};

}  // namespace aclvk::runtime
