#include "runtime/stream/open_batch.hpp"

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

#include "base/config.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/device_process.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/stream_observer.hpp"
#include "runtime/stream/watcher.hpp"
#include "runtime/task/device_work.hpp"
#include "runtime/task/task_row.hpp"

namespace aclvk::runtime {
namespace {

// Exit handlers run in reverse order of their registration. Drivers and layers register some at their first submission,
// and the library's has to run before those.
void register_exit_handler_once() {
  static const bool registered = (quiesce_before_exit(), true);
  static_cast<void>(registered);
}

using Clock = std::chrono::steady_clock;

// A profiled batch allocates the timestamps of all its tasks when it is begun, so its size needs a limit.
constexpr long kMaxBatchSize = 16384;

std::size_t batch_size() { return static_cast<std::size_t>(std::clamp(config().batch_size, 1L, kMaxBatchSize)); }

// The limit for the tasks of a stream on the device (docs/adr/0014).
constexpr std::size_t kMaxBacklogBatches = 16;

}  // namespace

OpenBatch::OpenBatch(const StreamIdentity& stream, vk::Device& gpu, vk::Queue& queue, StreamErrors& errors)
    : stream_(stream),
      gpu_(gpu),
      queue_(queue),
      errors_(errors),
      timeline_(gpu.create_timeline()),
      backlog_(kMaxBacklogBatches * batch_size()) {}

OpenBatch::~OpenBatch() = default;

vk::CommandRecorder& OpenBatch::begin() {
  recorder_ = gpu_.record(vk::Level::kPrimary);
  burst_.begin_batch(Clock::now());
  return *recorder_;
}

// Returns the observer of the batch's tasks, or null.
const StreamObserver* OpenBatch::observer() const {
  const StreamObserver* observer = stream_observer.load(std::memory_order_relaxed);
  return observer && observer->observes_tasks_of(stream_.device_id) && gpu_.has_timestamps() ? observer : nullptr;
}

void OpenBatch::record(const Task& task) {
  if (const auto* observing = observer()) return record_observed(*observing, task);
  if (!row_of(task).has(kOnlyInProfiles)) record_work(recorder(), task);
}

void OpenBatch::write_value(const ValueWriteTask& task) {
  if (const auto* observing = observer()) return record_observed(*observing, task);
  recorder().write_word(task.word, task.value);
}

void OpenBatch::record_observed(const StreamObserver& observer, const Task& task) {
  vk::CommandRecorder& batch = recorder();
  if (!observed_) observed_ = observer.begin_batch(gpu_, batch_size());
  observed_->record(batch, task);
}

bool OpenBatch::idle() const {
  const auto is_reached = [](const auto& wait) { return wait.reached(); };
  return !recorder_ && std::all_of(waits_.begin(), waits_.end(), is_reached) && submitted().reached();
}

vk::TimelinePoint OpenBatch::flush() {
  if (!has_unsubmitted()) return submitted();
  unschedule_flush();
  const auto observed = std::exchange(observed_, nullptr);
  std::vector<std::shared_ptr<vk::CommandBuffer>> commands;
  if (recorder_) commands.push_back(std::exchange(recorder_, nullptr)->finish());
  submit_with_waits(std::move(commands));
  if (observed) observed->on_submitted(stream_, submitted());
  return submitted();
}

void OpenBatch::flush_now() noexcept {
  try {
    if (recorder_) flush();
  } catch (const std::exception&) {
    errors_.report_current();
  }
}

void OpenBatch::flush_if_full() noexcept {
  if (recorder_ && recorder_->commands() >= batch_size()) flush_now();
}

// A single task is submitted at once when the device has completed all earlier work of the stream. In a burst the
// device is queried only after some tasks, and the watcher flushes what remains (docs/adr/0014).
void OpenBatch::after_push() noexcept {
  if (!recorder_) return;
  const bool full = recorder_->commands() >= batch_size();
  if (full || (burst_.queries_after_task() && device_is_idle())) {
    flush_now();
    burst_.end_batch(Clock::now());
  } else if (!flush_scheduled_) {
    schedule_flush();
  }
}

bool OpenBatch::device_is_idle() noexcept {
  try {
    return submitted().reached();
  } catch (const std::exception&) {  // the submission reports the error
    return true;
  }
}

void OpenBatch::schedule_flush() noexcept {
  try {
    stream_.device->watcher().flush_when_idle(stream_.queue);
    flush_scheduled_ = true;
  } catch (const std::exception&) {  // no memory for the watcher's entry
    flush_now();
  }
}

// Called before a submission, which may fail: the watcher would retry a failed flush for ever.
void OpenBatch::unschedule_flush() noexcept {
  if (std::exchange(flush_scheduled_, false)) stream_.device->watcher().remove(stream_.queue);
}

vk::TimelinePoint OpenBatch::submit(std::vector<std::shared_ptr<vk::CommandBuffer>> commands) {
  if (recorder_) flush();
  submit_with_waits(std::move(commands));
  return submitted();
}

// The waits are cleared only after the submission has succeeded: when it fails, later submissions still need them.
// After the submission nothing may throw.
void OpenBatch::submit_with_waits(std::vector<std::shared_ptr<vk::CommandBuffer>> commands) {
  std::size_t tasks = 0;
  for (const auto& buffer : commands) tasks += buffer->commands();
  backlog_.add(submitted_ + 1, tasks);
  try {
    queue_.submit({std::move(commands), waits_, {timeline_, submitted_ + 1}});
  } catch (...) {
    backlog_.remove_last();
    throw;
  }
  ++submitted_;
  resolve_end();
  waits_.clear();
  retained_.clear();  // from here on vk::Memory keeps the bytes: it waits for submitted work
  register_exit_handler_once();
}

// A semaphore wait of vkQueueSubmit2 precedes all commands of its submission, so the tasks before the wait are
// submitted first. A task that waits for several points repeats its waits until all of them are submitted: a timeline
// has one entry, with its highest value.
void OpenBatch::wait_for(const vk::TimelinePoint& point) {
  if (point.timeline == timeline_ || point.reached()) return;
  if (recorder_) flush();
  const auto same = std::find_if(waits_.begin(), waits_.end(),
                                 [&](const vk::TimelinePoint& wait) { return wait.timeline == point.timeline; });
  if (same == waits_.end()) {
    waits_.push_back(point);
  } else {
    same->value = std::max(same->value, point.value);
  }
}

void OpenBatch::drop() noexcept {
  recorder_.reset();
  observed_.reset();
  waits_.clear();
  unschedule_flush();
}

void OpenBatch::retain(const std::shared_ptr<void>& memory) {
  if (recorder_) retained_.push_back(memory);
}

void OpenBatch::retain_all(std::list<std::shared_ptr<void>>& memory) noexcept {
  if (recorder_) retained_.splice(retained_.end(), memory);
}

// The end of an open batch is a Point without a timeline value: with a value, another stream could submit a wait for it
// before the batch itself is submitted (docs/adr/0003).
PointPtr OpenBatch::end_point() {
  const bool more_to_submit = has_unsubmitted();
  if (more_to_submit && end_) return end_;
  if (!more_to_submit) return std::make_shared<Point>(Point{Point::Submitted{submitted(), stream_.device}});
  end_ = std::make_shared<Point>(Point{Point::Queued{}});
  return end_;
}

void OpenBatch::resolve_end() noexcept {
  if (!end_) return;
  settle_end(Point::Submitted{submitted(), stream_.device});
}

void OpenBatch::settle_end(Point::State&& state) noexcept {
  end_->state = std::move(state);
  end_ = nullptr;
  stream_.scheduler.changed();
}

// Waiters then wait for the semaphores that the batch would have waited for.
void OpenBatch::cancel_end() noexcept try {
  if (!end_) return;
  std::vector<PointPtr> superseded_by;
  for (const vk::TimelinePoint& wait : waits_) {
    // The semaphores are of the stream's VkDevice: SignalExecutor::wait_submitted().
    superseded_by.push_back(std::make_shared<Point>(Point{Point::Submitted{wait, stream_.device}}));
  }
  settle_end(Point::Cancelled{submitted(), stream_.device, std::move(superseded_by)});
} catch (const std::exception&) {
  // Out of memory: the point gets the value of the next submission.
}

}  // namespace aclvk::runtime
