#include "runtime/stream/stream_errors.hpp"

#include <exception>

#include "base/current_error.hpp"
#include "base/log.hpp"
#include "base/log_limit.hpp"
#include "runtime/device/device.hpp"
#include "runtime/failure/failed_task.hpp"
#include "runtime/stream/scheduler.hpp"
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

// A program that fails in a loop writes only some lines at the level of errors (base/log_limit.hpp).
void StreamErrors::report(const Error& error, const Task* task) noexcept {
  const std::uint64_t number = count_line("Stream", static_cast<int>(error.code()));
  log().log(number != 0 ? spdlog::level::err : spdlog::level::debug, "Stream {}: {}", stream_.id, error.sentence());
  try {
    if (!error_) error_ = error;
    if (error.code() == Code::kModelAbortNormal) return;  // the program has aborted the model
    halted_ = failures_->on_failure(error);
    notify_listeners(error, task);
  } catch (const std::exception& second) {  // out of memory again: stores the code without a text
    if (!error_) error_.emplace(error.code(), std::string());
    log().error("Stream {}: the listeners for failures cannot be called: {}", stream_.id, second.what());
  }
}

void StreamErrors::report_current(const Task* task) noexcept {
  try {
    report(current_error(), task);
  } catch (const std::exception&) {  // no memory for the error text
    report(Error(Code::kMemoryAllocation, {}), task);
  }
}

void StreamErrors::notify_listeners(const Error& error, const Task* task) {
  FailedTask failed{pending_.processed(), stream_.id, pending_.launching_thread(), stream_.device_id,
                    static_cast<std::uint32_t>(error.code())};
  if (task) describe(*task, failed);
  set_last_failure(failed);
  if (!has_failure_listeners()) return;
  stream_.device->watcher().run_callback([failed] { try_to_call_listeners(failed); },
                                         [pending = pending_notifications_, &scheduler = stream_.scheduler]()
                                             REQUIRES(scheduler_mutex) {
                                               --*pending;
                                               scheduler.changed();
                                             });
  // Follows run_callback(), which may throw. The callback decrements under the scheduler lock, which this thread holds.
  ++*pending_notifications_;
}

void StreamErrors::report_timeout(std::uint64_t value, std::chrono::microseconds limit) {
  if (timed_out_ == value) return;
  report(Error(Code::kAicoreTimeout,
               fmt::format("Tasks of stream {} have been running for more than {} s. They cannot be interrupted, "
                           "so they continue.",
                           stream_.id, std::chrono::duration_cast<std::chrono::seconds>(limit).count())));
  timed_out_ = value;
}

std::optional<Error> StreamErrors::peek(const std::optional<Error>& loss) const {
  if (error_) return error_;
  if (loss) return loss;
  return dropped_ ? dropped_ : failures_->stopped_by();
}

// Each synchronisation returns the loss of the device and the error that has stopped the context, so only errors of the
// stream itself are cleared.
std::optional<Error> StreamErrors::take(const std::optional<Error>& loss) {
  auto error = peek(loss);
  if (error_) {
    error_.reset();
  } else {
    dropped_.reset();
  }
  return error;
}

std::string StreamErrors::drop_sentence(Code reason) const noexcept try {
  const char* what = reason == Code::kDeviceTaskAbort ? "the tasks of its device were" : "it was";
  return fmt::format("{} tasks of stream {} were dropped when {} aborted.", pending_.size(), stream_.id, what);
} catch (const std::exception&) {
  return {};
}

void StreamErrors::on_drop(Code reason) noexcept {
  error_.reset();
  if (!pending_.empty()) {
    dropped_.emplace(reason, drop_sentence(reason));
    drop_reason_ = reason;
  }
  if (std::exchange(halted_, false)) failures_->resume();
}

// Keeps an earlier overdue submission that still blocks these. The watcher calls again every second while the other one
// is overdue.
void StreamErrors::set_stuck(std::uint64_t first, const vk::TimelinePoint& end) {
  if (stuck_before(first)) return;
  stuck_from_ = first;
  stuck_by_ = end;
}

}  // namespace aclvk::runtime
