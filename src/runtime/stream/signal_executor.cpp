#include "runtime/stream/signal_executor.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <utility>

#include "runtime/device/device.hpp"
#include "runtime/event/count_notify.hpp"
#include "runtime/event/event.hpp"
#include "runtime/event/shared_signal.hpp"
#include "runtime/event/word_table.hpp"
#include "runtime/host/host_time.hpp"
#include "runtime/stream/host_function.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/watcher.hpp"
#include "runtime/task/overloaded.hpp"
#include "vk_device/device/device.hpp"

namespace aclvk::runtime {

bool SignalExecutor::run(const EventRecordTask& record) {
  record.point ? set_point(record.point) : set_flag(record.event->flag);
  return true;
}

bool SignalExecutor::run(const EventWaitTask& wait) {
  if (!wait.point) return wait_flag(wait.event->flag);
  if (!wait_point(wait.point)) return false;
  if (wait.passed) wait.passed->state = wait.point->state;
  return true;
}

bool SignalExecutor::run(const EventResetTask& reset) {
  if (reset.point) {
    set_point(reset.point);
  } else {
    reset.event->flag.set = false;
  }
  return true;
}

bool SignalExecutor::run(const NotifyRecordTask& record) {
  set_flag(record.notify->flag);
  return true;
}

bool SignalExecutor::run(const NotifyWaitTask& wait) {
  if (wait.notify->flag.shared) return take_shared_flag(*wait.notify->flag.shared);
  if (!wait_flag(wait.notify->flag)) return false;
  wait.notify->flag.set = false;
  return true;
}

bool SignalExecutor::run(const CountRecordTask& record) {
  record.notify->apply(record, {flush_preceding(), stream_.device});
  stream_.scheduler.changed();
  return true;
}

vk::TimelinePoint SignalExecutor::flush_preceding() {
  const bool submitted = step_start_ && *step_start_ <= batch_.submitted().value;
  return submitted ? vk::TimelinePoint{batch_.timeline(), *step_start_} : batch_.flush();
}

// Semaphores of one VkDevice are waited for on the device; those of another one on the host.
bool SignalExecutor::wait_submitted(const vk::TimelinePoint& point, const Device* origin) {
  if (origin == nullptr || origin->shares_gpu(*stream_.device)) {
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

bool SignalExecutor::wait_point(const PointPtr& point) {
  return std::visit(
      Overloaded{
          [](const Point::Expected&) { return false; },
          [](const Point::Queued&) { return false; },
          [&](const Point::Submitted& work) REQUIRES(scheduler_mutex) { return wait_submitted(work.end, work.device); },
          [&](const Point::Cancelled& cancelled) REQUIRES(scheduler_mutex) { return wait_superseding(cancelled); },
          [&](const Point::Remote& remote) REQUIRES(scheduler_mutex) { return wait_remote(*remote.work); },
      },
      point->state);
}

bool SignalExecutor::wait_superseding(const Point::Cancelled& point) {
  const bool all = std::all_of(point.superseded_by.begin(), point.superseded_by.end(),
                               [this](const PointPtr& p) REQUIRES(scheduler_mutex) { return wait_point(p); });
  return all && (!point.end || wait_submitted(*point.end, point.device));
}

bool SignalExecutor::wait_flag(const Flag& flag) { return flag.set && wait_submitted(flag.since, flag.device); }

bool SignalExecutor::wait_remote(const RemoteWork& work) {
  if (work.reached()) return true;
  check(!work.lost(), Code::kWaitTimeout,
        "The process whose event the stream waits for has ended or lost its device; the event will never be complete.");
  stream_.device->watcher().poll_words();
  return false;
}

bool SignalExecutor::take_shared_flag(SharedFlag& flag) {
  if (flag.test_and_clear()) return true;
  stream_.device->watcher().poll_words();
  return false;
}

// The count is the result of all recorded changes, so the wait includes the device work before each change that is not
// complete.
bool SignalExecutor::run(const CountWaitTask& wait) {
  if (!wait.notify->satisfies(wait)) return false;
  for (const CountNotify::Change& change : wait.notify->pending()) {
    if (!wait_submitted(change.since, change.device)) return false;
  }
  if (!wait.clears) return true;
  wait.notify->clear();
  stream_.scheduler.changed();
  return true;
}

std::function<void()> SignalExecutor::shared_event_notifier(const SharedRecord& record) const {
  return [&device = *stream_.device, record] {
    device.gpu().lost() ? record.event->mark_lost(record.number) : record.event->mark_reached(record.number);
  };
}

void SignalExecutor::set_point(const PointPtr& point) {
  if (point->timed) return set_timed_point(point);
  const vk::TimelinePoint end = flush_preceding();
  point->state = Point::Submitted{end, stream_.device};
  if (point->shared) stream_.device->watcher().when_reached(end, shared_event_notifier(*point->shared));
  stream_.scheduler.changed();
}

void SignalExecutor::cancel(const PointPtr& point, const std::vector<PointPtr>& superseded_by) noexcept {
  try {
    batch_.flush();
  } catch (const std::exception&) {
    errors_.report_current();
  }
  auto& cancelled = point->cancel(batch_.submitted(), stream_.device);
  try {
    for (const PointPtr& before : superseded_by) {
      if (before != point) cancelled.superseded_by.push_back(before);
    }
    if (point->shared) stream_.device->watcher().when_reached(point, shared_event_notifier(*point->shared));
  } catch (const std::exception&) {
    errors_.report_current();
  }
}

// The timestamp is written by the open batch, or by a submission of its own: an earlier submission cannot be extended,
// and sharing its time would hide how long the stream was idle (docs/adr/0022).
void SignalExecutor::set_timed_point(const PointPtr& point) {
  if (gpu_.timestamps_are_host_time() && pending_.empty() && batch_.idle()) {
    point->time = host_ns();
  } else if (gpu_.has_timestamps()) {
    const std::shared_ptr<vk::Timestamps> timestamp = gpu_.create_timestamps(1);
    point->time = timestamp;
    batch_.write_timestamp(timestamp);
  }
  const vk::TimelinePoint end = batch_.flush();
  point->state = Point::Submitted{end, stream_.device};
  if (!point->has_time()) {
    stream_.device->watcher().when_reached(
        end, [point]() REQUIRES(scheduler_mutex) { point->set_time_if_unknown(host_ns()); });
  }
  stream_.scheduler.changed();
}

// Another process cannot wait for a timeline of this one. A shared flag is therefore set only when the work before it
// is complete (docs/adr/0017).
void SignalExecutor::set_flag(Flag& flag) {
  if (flag.shared) {
    return stream_.device->watcher().when_reached(
        flush_preceding(),
        [&device = *stream_.device, &scheduler = stream_.scheduler, shared = flag.shared]() REQUIRES(scheduler_mutex) {
          if (!device.loss()) shared->set();
          scheduler.changed();
        });
  }
  flag.since = flush_preceding();
  flag.device = stream_.device;
  flag.set = true;
  stream_.scheduler.changed();
}

// Submitted at once: a stream that waits for the word needs a timeline value to wait for.
bool SignalExecutor::run(const ValueWriteTask& write) {
  batch_.write_value(write);
  WordTable::instance().add_write({&gpu_, write.word.address()}, {write.value, batch_.flush()});
  stream_.scheduler.changed();
  return true;
}

bool SignalExecutor::run(const ValueWaitTask& wait) {
  // A pending write of another stream decides. This stream may have changed the word again after its own write, so that
  // one is ignored.
  const auto write = WordTable::instance().pending_write({&gpu_, wait.word.address()});
  if (write && write->since.timeline != batch_.timeline()) {
    if (satisfies(write->value, wait.comparison, wait.value)) {
      batch_.wait_for(write->since);
      return true;
    }
    stream_.device->watcher().poll_words();
    return false;
  }
  if (!word_writes_complete(wait.word)) return false;
  std::uint64_t word = 0;
  gpu_.read(&word, wait.word);
  if (satisfies(word, wait.comparison, wait.value)) return true;
  stream_.device->watcher().poll_words();
  return false;
}

// Memory holds the word that the wait must see only when all earlier tasks that write it are complete: tasks of this
// stream, and tasks of other streams whose events it has waited for.
bool SignalExecutor::word_writes_complete(const vk::BufferRange& word) {
  const vk::TimelinePoint tasks = flush_preceding();
  if (tasks.reached() || !gpu_.writes_in_flight(nullptr, word)) return true;
  retry_when(tasks, *stream_.device);
  return false;
}

// A blocked stream calls this at each retry, so a point that is registered already is skipped. It counts as registered
// only after when_reached() has succeeded.
void SignalExecutor::retry_when(const vk::TimelinePoint& point, const Device& device) {
  const auto is_point = [&](const auto& w) { return w.timeline == point.timeline && w.value == point.value; };
  if (std::any_of(retry_points_.begin(), retry_points_.end(), is_point)) return;
  const auto is_reached = [](const auto& w) { return w.reached(); };
  retry_points_.erase(std::remove_if(retry_points_.begin(), retry_points_.end(), is_reached), retry_points_.end());
  retry_points_.reserve(retry_points_.size() + 1);
  device.watcher().when_reached(point,
                                [&scheduler = stream_.scheduler]() REQUIRES(scheduler_mutex) { scheduler.changed(); });
  retry_points_.push_back(point);
}

// The value decides a branch, which cannot be revised. So it is read only when the tasks of other streams that this one
// has waited for are complete as well, which holds when the submission that waits for them is.
bool SignalExecutor::try_read(const vk::BufferRange& range, const vk::TimelinePoint& before, void* out) {
  if (!before.reached()) {
    retry_when(before, *stream_.device);
    return false;
  }
  gpu_.read(out, range);
  return true;
}

void SignalExecutor::retry_when_done() {
  stream_.device->watcher().when_reached(
      batch_.flush(), [&scheduler = stream_.scheduler]() REQUIRES(scheduler_mutex) { scheduler.changed(); });
}

// The task is run again until the function has returned.
bool SignalExecutor::run(HostTask& host) {
  if (!host.state) {
    host.state = std::make_shared<std::atomic<HostTask::State>>(HostTask::State::kWaiting);
    host.failure = std::make_shared<std::optional<Error>>();
    start_host_function(host, stream_, flush_preceding());
  }
  if (*host.state != HostTask::State::kDone) return false;
  if (*host.failure) throw Error(**host.failure);
  return true;
}

}  // namespace aclvk::runtime
