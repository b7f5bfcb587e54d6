// Execution of the tasks that are not device work: waits, records, values, host functions.
#include <algorithm>
#include <exception>
#include <utility>

#include "base/current_error.hpp"
#include "runtime/device/device.hpp"
#include "runtime/event/count_notify.hpp"
#include "runtime/event/event.hpp"
#include "runtime/event/event_time.hpp"
#include "runtime/event/word_table.hpp"
#include "runtime/profile/call.hpp"
#include "runtime/share/shared_signal.hpp"
#include "runtime/stream/device_work.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/stream_queue.hpp"
#include "runtime/stream/watcher.hpp"
#include "vk_device/host_clock.hpp"

namespace aclvk::runtime {
namespace {

void store_current_error(std::optional<Error>& error) noexcept {
  try {
    error = current_error();
  } catch (const std::exception&) {  // no memory for the error text
    error.emplace(Code::kMemoryAllocation, std::string());
  }
}

void run_and_store_error(const std::function<void()>& function, std::optional<Error>& error) noexcept {
  try {
    function();
  } catch (const std::exception&) {
    store_current_error(error);
  }
}

}  // namespace

bool StreamQueue::run_step(Task& task, std::uint64_t start) {
  struct StartScope {
    std::optional<std::uint64_t>& start;
    const std::optional<std::uint64_t> outer;  // of the conditional task that contains the step
    ~StartScope() { start = outer; }
  };
  const StartScope scope{step_start_, std::exchange(step_start_, start)};
  return run_task(task);
}

vk::TimelinePoint StreamQueue::flush_preceding() {
  const bool submitted = step_start_ && *step_start_ <= batch_.submitted().value;
  return submitted ? vk::TimelinePoint{batch_.timeline(), *step_start_} : batch_.flush();
}

// Semaphores of one VkDevice are waited for on the device; those of another one on the host.
bool StreamQueue::wait_submitted(const vk::TimelinePoint& point, const Device* origin) {
  if (origin == nullptr || origin->shares_gpu(device_)) {
    batch_.wait_for(point);
    return true;
  }
  if (point.reached()) {
    origin->check_not_lost();  // points of a lost device count as reached, but their work is not complete
    return true;
  }
  retry_when(point, *origin);
  return false;
}

bool StreamQueue::wait_point(const PointPtr& point) {
  if (point->cancelled) return wait_superseding(*point);
  if (point->remote) return wait_remote(*point->remote);
  return point->submitted && wait_submitted(*point->submitted, point->device);
}

bool StreamQueue::wait_superseding(const Point& point) {
  const bool all = std::all_of(point.superseded_by.begin(), point.superseded_by.end(),
                               [this](const PointPtr& p) { return wait_point(p); });
  return all && (!point.submitted || wait_submitted(*point.submitted, point.device));
}

bool StreamQueue::wait_flag(const Flag& flag) { return flag.set && wait_submitted(flag.since, flag.device); }

bool StreamQueue::wait_remote(const RemoteWork& work) {
  if (work.reached()) return true;
  check(!work.lost(), Code::kWaitTimeout,
        "The process whose event the stream waits for has ended or lost its device; the event will never be complete.");
  device_.watcher().poll_words();
  return false;
}

bool StreamQueue::take_shared_flag(SharedFlag& flag) {
  if (flag.test_and_clear()) return true;
  device_.watcher().poll_words();
  return false;
}

bool StreamQueue::wait_count(const CountWaitTask& wait) {
  if (!wait.notify->satisfies(wait)) return false;
  for (const CountNotify::Change& change : wait.notify->pending()) {
    if (!wait_submitted(change.since, change.device)) return false;
  }
  if (!wait.clears) return true;
  wait.notify->clear();
  Scheduler::instance().changed();
  return true;
}

std::function<void()> StreamQueue::shared_event_notifier(const PointPtr& point) const {
  return [&device = device_, event = point->shared, record = point->shared_record] {
    device.gpu().lost() ? event->mark_lost(record) : event->mark_reached(record);
  };
}

void StreamQueue::set_point(const PointPtr& point) {
  if (point->timed) return set_timed_point(point);
  point->submitted = flush_preceding();
  point->device = &device_;
  if (point->shared) device_.watcher().when_reached(*point->submitted, shared_event_notifier(point));
  Scheduler::instance().changed();
}

// The timestamp is written by the open batch, or by a submission of its own: an earlier submission cannot be extended,
// and sharing its time would hide how long the stream was idle (docs/adr/0022).
void StreamQueue::set_timed_point(const PointPtr& point) {
  vk::Device& gpu = device_.gpu();
  if (vk::timestamps_are_host_time(gpu) && idle()) {
    point->host_time_ns = host_ns();
  } else if (gpu.has_timestamps()) {
    point->time = gpu.create_timestamps(1);
    batch_.write_timestamp(point->time);
  }
  point->submitted = batch_.flush();
  point->device = &device_;
  if (!point->time && point->host_time_ns < 0) {
    device_.watcher().when_reached(*point->submitted, [point] {
      if (point->host_time_ns < 0) point->host_time_ns = host_ns();
    });
  }
  Scheduler::instance().changed();
}

void StreamQueue::set_flag(Flag& flag) {
  if (flag.shared) {
    return device_.watcher().when_reached(flush_preceding(), [&device = device_, shared = flag.shared] {
      if (!device.loss()) shared->set();
      Scheduler::instance().changed();
    });
  }
  flag.since = flush_preceding();
  flag.device = &device_;
  flag.set = true;
  Scheduler::instance().changed();
}

void StreamQueue::write_value(const ValueWriteTask& task) {
  batch_.write_value(task);
  WordTable::instance().add_write({&device_.gpu(), task.word.address()}, {task.value, batch_.flush()});
  Scheduler::instance().changed();
}

bool StreamQueue::wait_value(const ValueWaitTask& task) {
  // A pending write of another stream decides. This stream may have changed the word again after its own write, so that
  // one is ignored.
  const auto write = WordTable::instance().pending_write({&device_.gpu(), task.word.address()});
  if (write && write->since.timeline != batch_.timeline()) {
    if (satisfies(write->value, task.comparison, task.value)) {
      batch_.wait_for(write->since);
      return true;
    }
    device_.watcher().poll_words();
    return false;
  }
  if (!word_writes_complete(task.word)) return false;
  std::uint64_t word = 0;
  device_.gpu().read(&word, task.word);
  if (satisfies(word, task.comparison, task.value)) return true;
  device_.watcher().poll_words();
  return false;
}

// Memory holds the word that the wait must see only when all earlier tasks that write it are complete: tasks of this
// stream, and tasks of other streams whose events it has waited for.
bool StreamQueue::word_writes_complete(const vk::BufferRange& word) {
  const vk::TimelinePoint tasks = flush_preceding();
  if (tasks.reached() || !device_.gpu().writes_in_flight(nullptr, word)) return true;
  retry_when(tasks, device_);
  return false;
}

// A blocked stream calls this at each retry, so a point that is registered already is skipped. It counts as registered
// only after when_reached() has succeeded.
void StreamQueue::retry_when(const vk::TimelinePoint& point, const Device& device) {
  const auto is_point = [&](const auto& w) { return w.timeline == point.timeline && w.value == point.value; };
  if (std::any_of(retry_points_.begin(), retry_points_.end(), is_point)) return;
  const auto is_reached = [](const auto& w) { return w.reached(); };
  retry_points_.erase(std::remove_if(retry_points_.begin(), retry_points_.end(), is_reached), retry_points_.end());
  retry_points_.reserve(retry_points_.size() + 1);
  device.watcher().when_reached(point, [] { Scheduler::instance().changed(); });
  retry_points_.push_back(point);
}

// The value decides a branch, which cannot be revised. So it is read only when the tasks of other streams that this one
// has waited for are complete as well, which holds when the submission that waits for them is.
bool StreamQueue::try_read(const vk::BufferRange& range, const vk::TimelinePoint& before, void* out) {
  if (!before.reached()) {
    retry_when(before, device_);
    return false;
  }
  device_.gpu().read(out, range);
  return true;
}

void StreamQueue::retry_when_done() {
  device_.watcher().when_reached(batch_.flush(), [] { Scheduler::instance().changed(); });
}

// The first call registers the function with the watcher, which calls it when the device has completed all earlier
// work. The task is retried until the function has returned.
bool StreamQueue::run_on_host(HostTask& task) {
  if (!task.state) {
    task.state = std::make_shared<std::atomic<HostTask::State>>(HostTask::State::kWaiting);
    task.failure = std::make_shared<std::optional<Error>>();
    device_.watcher().when_reached(
        flush_preceding(), [&device = device_, state = task.state, failure = task.failure, function = task.function,
                            type = task.type, stream = stream_id_] {
          device.watcher().run_callback(
              [&device, state, failure, function, type, stream] {
                auto waiting = HostTask::State::kWaiting;
                if (!state->compare_exchange_strong(waiting, HostTask::State::kStarted)) return;  // dropped
                const std::int64_t begin = profile::on(profile::kTasks) ? host_ns() : 0;
                run_and_store_error(
                    [&] {
                      device.check_not_lost();  // the work before the function is not complete
                      function();
                    },
                    *failure);
                profile::trace_host_work(type.c_str(), stream, begin);
              },
              [state] {
                *state = HostTask::State::kDone;
                Scheduler::instance().changed();
              });
        });
  }
  if (*task.state != HostTask::State::kDone) return false;
  if (*task.failure) throw Error(**task.failure);
  return true;
}

}  // namespace aclvk::runtime
