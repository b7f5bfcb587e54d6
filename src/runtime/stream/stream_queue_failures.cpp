// Errors of a stream's tasks, failure listeners, and timeouts.
#include <exception>

#include "base/current_error.hpp"
#include "base/log.hpp"
#include "base/log_limit.hpp"
#include "runtime/device/device.hpp"
#include "runtime/failure/failed_task.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/stream_queue.hpp"
#include "runtime/stream/watcher.hpp"

namespace aclvk::runtime {
namespace {

void try_to_call_listeners(const FailedTask& failed) noexcept {
  try {
    call_failure_listeners(failed);
  } catch (const std::exception& error) {
    log().error("Not all listeners hear of a failure: {}", error.what());
  }
}

}  // namespace

std::optional<Error> StreamQueue::peek_error() const {
  if (error_) return error_;
  if (auto loss = device_.loss()) return loss;
  return dropped_ ? dropped_ : failures_->stopped_by();
}

std::optional<Error> StreamQueue::take_error() {
  auto error = peek_error();
  if (error_) {
    error_.reset();
  } else {
    dropped_.reset();
  }
  return error;
}

void StreamQueue::report_error(const Error& error, const Task* task) noexcept {
  const std::uint64_t number = count_line("Stream", static_cast<int>(error.code()));
  log().log(number != 0 ? spdlog::level::err : spdlog::level::debug, "Stream {}: {}", stream_id_, error.sentence());
  try {
    if (!error_) error_ = error;
    if (error.code() == Code::kModelAbortNormal) return;  // the program has aborted the model
    halted_ = failures_->on_failure(error);
    notify_listeners(error, task);
  } catch (const std::exception& second) {  // out of memory again: stores the code without a text
    if (!error_) error_.emplace(error.code(), std::string());
    log().error("Stream {}: nobody else can be told: {}", stream_id_, second.what());
  }
}

void StreamQueue::report_current_error(const Task* task) noexcept {
  try {
    report_error(current_error(), task);
  } catch (const std::exception&) {  // no memory for the error text
    report_error(Error(Code::kMemoryAllocation, {}), task);
  }
}

void StreamQueue::notify_listeners(const Error& error, const Task* task) {
  FailedTask failed{pending_.processed(), stream_id_, pending_.launching_thread(), device_.id,
                    static_cast<std::uint32_t>(error.code())};
  if (task) describe(*task, failed);
  set_last_failure(failed);
  if (!has_failure_listeners()) return;
  device_.watcher().run_callback([failed] { try_to_call_listeners(failed); },
                                 [pending = pending_notifications_] {
                                   --*pending;
                                   Scheduler::instance().changed();
                                 });
  ++*pending_notifications_;
}

void StreamQueue::on_timeout(std::uint64_t value, std::chrono::microseconds limit) {
  Scheduler& scheduler = Scheduler::instance();
  const vk::TimelinePoint end{timeline_, value};
  // Submissions that wait for this one, or follow it in its VkQueue, cannot complete before it.
  for (const vk::TimelinePoint& first : device_.gpu().blocked_by(end)) {
    StreamQueue* queue = scheduler.find_queue(*first.timeline);
    if (!queue) continue;
    queue->stuck_from_ = first.value;
    queue->stuck_by_ = end;
  }
  scheduler.changed();
  if (timed_out_ == value) return;
  report_error(Error(Code::kAicoreTimeout,
                     fmt::format("Tasks of stream {} have been running for more than {} s. They cannot be interrupted "
                                 "and go on.",
                                 stream_id_, std::chrono::duration_cast<std::chrono::seconds>(limit).count())));
  timed_out_ = value;
}

void StreamQueue::check_wait() {
  if (pending_.empty() || !pending_.front_started()) return;
  const auto now = std::chrono::steady_clock::now();
  const WaitLimit limit = pending_.expired_limit(now);
  if (limit.count() == 0) return pending_.log_long_wait(stream_id_, now);
  pending_.begin_front();
  const Task& task = pending_.front();
  report_error(
      Error(Code::kWaitTimeout, fmt::format("Stream {} has waited for {} for {} s, as long as the wait may last.",
                                            stream_id_, pending_.waits_for(), limit.count())),
      &task);
  abandon(task);
  pop_pending();
  pending_.begin_wait(now);
  pump();
}

}  // namespace aclvk::runtime
