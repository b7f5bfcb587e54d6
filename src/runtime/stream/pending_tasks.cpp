#include "runtime/stream/pending_tasks.hpp"

#include <algorithm>
#include <atomic>

#include "base/config.hpp"
#include "base/log.hpp"
#include "runtime/stream/waiting.hpp"
#include "runtime/task/device_work.hpp"

namespace aclvk::runtime {
namespace {

bool uses(const Task& task, const vk::BufferRange& allocation) REQUIRES(scheduler_mutex) {
  if (const auto* step = std::get_if<ProcedureTask>(&task)) return step->procedure && step->procedure->uses(allocation);
  bool found = false;
  for_each_range(task, [&](const vk::BufferRange& range, const char*, std::size_t) {
    found = found || range.allocation == allocation.allocation;
  });
  return found;
}

}  // namespace

// Epochs are not numbered by stream, because a stream has several.
std::uint32_t PendingTasks::next_epoch() {
  static std::atomic<std::uint32_t> last{0};
  return last++;
}

// The list allocates before it moves the task.
void PendingTasks::add(Task&& task) {
  if (const auto* record = std::get_if<EventRecordTask>(&task); record && record->point) {
    record->point->state = Point::Queued{epoch_, ++records_};
  }
  tasks_.emplace_back(std::move(task), launching_thread_);
}

void PendingTasks::pop_front() {
  tasks_.pop_front();
  front_started_ = false;
  ++processed_;
}

bool PendingTasks::may_use(const vk::BufferRange& allocation) const {
  return std::any_of(tasks_.begin(), tasks_.end(),
                     [&](const Pending& pending) REQUIRES(scheduler_mutex) { return uses(pending.task, allocation); });
}

// Tasks are processed in order, so the last user keeps the memory for all of them.
void PendingTasks::retain(const vk::BufferRange& allocation, const std::shared_ptr<void>& bytes) {
  const auto last = std::find_if(tasks_.rbegin(), tasks_.rend(), [&](const Pending& pending) REQUIRES(scheduler_mutex) {
    return uses(pending.task, allocation);
  });
  if (last != tasks_.rend()) last->memory.push_back(bytes);
}

std::string PendingTasks::waits_for() const {
  if (tasks_.empty()) return "nothing";
  return front_started_ ? describe_wait(tasks_.front().task) : "the device";
}

void PendingTasks::begin_wait(Time now) {
  waits_since_ = now;
  logged_wait_.clear();
}

WaitLimit PendingTasks::expired_limit(Time now) const {
  return runtime::expired_limit(tasks_.front().task, waits_since_, now);
}

// All waits of a model's run are one task, so each is also measured from the last log line.
void PendingTasks::log_long_wait(std::uint32_t stream_id, Time now) {
  const std::chrono::milliseconds patience(config().wait_report_ms);
  if (patience.count() <= 0 || now - std::max(waits_since_, logged_at_) < patience) return;
  logged_at_ = now;
  std::string wait = waits_for();
  if (wait == logged_wait_) return;
  log().warn("Stream {} has been blocked for {} s; it waits for {}.", stream_id,
             std::chrono::duration_cast<std::chrono::seconds>(now - waits_since_).count(), wait);
  logged_wait_ = std::move(wait);
}

}  // namespace aclvk::runtime
