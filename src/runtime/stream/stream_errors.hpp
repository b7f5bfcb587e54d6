#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "runtime/failure/failures.hpp"
#include "runtime/stream/pending_tasks.hpp"
#include "runtime/stream/stream_identity.hpp"
#include "runtime/task/scheduler_mutex.hpp"
#include "vk_device/submission/timeline.hpp"

namespace aclvk::runtime {

/// The errors of a stream's tasks (docs/adr/0020): stores the first one for the next synchronisation, notifies the
/// failure listeners, and stops the context if its failure mode says so. Also stores why tasks were dropped, and which
/// submissions an overdue one keeps from completing. Shares the Failures of the context.
///
/// Owned by the StreamQueue; all parts of the queue report to it, Stream and Scheduler read it.
class StreamErrors {
 public:
  /// `pending` identifies the failed task, and must outlive this object.
  StreamErrors(const StreamIdentity& stream, const PendingTasks& pending, std::shared_ptr<Failures> failures)
      : stream_(stream), pending_(pending), failures_(std::move(failures)) {}

  /// Stores the first error for the next synchronisation, notifies the failure listeners on a callback thread, and
  /// stops the context if its failure mode says so. `task`: the failed task, if it is known.
  void report(const Error& error, const Task* task = nullptr) noexcept REQUIRES(scheduler_mutex);
  /// Reports the exception of the current catch block.
  void report_current(const Task* task = nullptr) noexcept REQUIRES(scheduler_mutex);
  /// Reports kAicoreTimeout for the submission with this value, once.
  void report_timeout(std::uint64_t value, std::chrono::microseconds limit) REQUIRES(scheduler_mutex);

  /// Returns and clears the error of a synchronisation: the first failure since the last one, the loss of the device,
  /// dropped tasks, or the error that has stopped the context. `loss`: Device::loss().
  std::optional<Error> take(const std::optional<Error>& loss) REQUIRES(scheduler_mutex);
  /// Returns the error that the next take() will return.
  std::optional<Error> peek(const std::optional<Error>& loss) const REQUIRES(scheduler_mutex);
  /// Returns true when the listeners have returned for all failures.
  bool listeners_notified() const REQUIRES(scheduler_mutex) { return *pending_notifications_ == 0; }

  // The failure mode of the context.

  bool stops_at_failures() const REQUIRES(scheduler_mutex) { return failures_->stop(); }
  /// Throws the error that has stopped the context.
  void check_not_stopped() const REQUIRES(scheduler_mutex) {
    if (failures_->stopped_by()) throw Error(*failures_->stopped_by());
  }
  /// Returns true when a failure of this stream has stopped the context, so that the stream drops its tasks.
  bool halted() const REQUIRES(scheduler_mutex) { return halted_; }
  /// Ends halted() if the context has resumed, because another stream was aborted.
  void update_halted() REQUIRES(scheduler_mutex) { halted_ = halted_ && failures_->stopped_by(); }

  // Dropped tasks.

  /// Drops the error that was not reported, and stores that the pending tasks are being dropped for `reason`:
  /// kStreamAbort or kDeviceTaskAbort. Resumes a context that this stream has stopped.
  void on_drop(Code reason) noexcept REQUIRES(scheduler_mutex);
  /// Makes the loss of the device the reason for which tasks are dropped.
  void on_device_lost(const Error& loss) REQUIRES(scheduler_mutex) { drop_reason_ = loss.code(); }
  Code drop_reason() const REQUIRES(scheduler_mutex) { return drop_reason_; }
  /// Drops the error of dropped tasks, because a new task has arrived.
  void clear_dropped() REQUIRES(scheduler_mutex) { dropped_.reset(); }

  // Overdue submissions.

  /// Stores that submissions from `first` on cannot complete before `end`, the end of an overdue submission.
  void set_stuck(std::uint64_t first, const vk::TimelinePoint& end) REQUIRES(scheduler_mutex);
  /// Returns true while an overdue submission, of any stream, keeps the submission with this value from completing.
  bool stuck_before(std::uint64_t value) const REQUIRES(scheduler_mutex) {
    return stuck_from_ <= value && !stuck_by_.reached();
  }

 private:
  std::string drop_sentence(Code reason) const noexcept REQUIRES(scheduler_mutex);
  void notify_listeners(const Error& error, const Task* task) REQUIRES(scheduler_mutex);

  const StreamIdentity stream_;
  const PendingTasks& pending_;
  const std::shared_ptr<Failures> failures_;
  // Failures being notified.
  std::shared_ptr<int> pending_notifications_ GUARDED_BY(scheduler_mutex) = std::make_shared<int>(0);
  bool halted_ GUARDED_BY(scheduler_mutex) = false;
  std::optional<Error> error_ GUARDED_BY(scheduler_mutex);
  std::optional<Error> dropped_ GUARDED_BY(scheduler_mutex);  // cleared by the next synchronisation or task
  Code drop_reason_ GUARDED_BY(scheduler_mutex) = Code::kStreamAbort;
  std::uint64_t timed_out_ GUARDED_BY(scheduler_mutex) = 0;  // the last submission that report_timeout() has reported
  // The first submission that cannot complete before stuck_by_.
  std::uint64_t stuck_from_ GUARDED_BY(scheduler_mutex) = 0;
  vk::TimelinePoint stuck_by_ GUARDED_BY(scheduler_mutex);  // the end of an overdue submission of any stream
};

}  // namespace aclvk::runtime
