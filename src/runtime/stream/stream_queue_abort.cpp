// Dropping of tasks, and the order that waiters for dropped tasks still rely on (docs/adr/0011, 0015). A task that will
// not be processed, because it was dropped or has failed, is abandoned, and the Point of an abandoned record cancelled.
#include <exception>

#include "runtime/device/device.hpp"
#include "runtime/event/event.hpp"
#include "runtime/stream/dropped_task.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/stream_queue.hpp"
#include "runtime/stream/watcher.hpp"

namespace aclvk::runtime {

// Releases the waiters for a task that will not be processed.
void StreamQueue::abandon(const Task& task, const std::vector<PointPtr>& superseded_by) noexcept {
  if (const auto* record = std::get_if<EventRecordTask>(&task)) {
    if (record->point) cancel(record->point, superseded_by);
  } else if (const auto* wait = std::get_if<EventWaitTask>(&task); wait && wait->passed) {
    wait->passed->device = &device_;
    wait->passed->cancelled = true;
  } else if (const auto* host = std::get_if<HostTask>(&task)) {
    host->drop();
    if (host->done) host->done->flag.set = true;
  } else if (const auto* procedure = std::get_if<ProcedureTask>(&task)) {
    abandon_procedure(*procedure, superseded_by);
  }
  Scheduler::instance().changed();
}

void StreamQueue::abandon_procedure(const ProcedureTask& task, const std::vector<PointPtr>& superseded_by) noexcept {
  try {
    if (task.procedure) task.procedure->abandon(*this, superseded_by);
  } catch (const std::exception&) {
    errors_.report_current();
  }
}

void StreamQueue::cancel(const PointPtr& point, const std::vector<PointPtr>& superseded_by) noexcept {
  try {
    point->submitted = batch_.flush();
  } catch (const std::exception&) {
    errors_.report_current();
    point->submitted = batch_.submitted();
  }
  point->device = &device_;
  point->cancelled = true;
  point->time = nullptr;  // no submission will write it
  try {
    for (const PointPtr& before : superseded_by) {
      if (before != point) point->superseded_by.push_back(before);
    }
    if (point->shared) device_.watcher().when_reached(point, shared_event_notifier(point));
  } catch (const std::exception&) {
    errors_.report_current();
  }
}

// Later tasks are not ordered after what the dropped ones would have waited for, so that the stream is usable at once.
// Tasks are dropped one by one, so that memory which one of them frees does not wait for those before it.
void StreamQueue::abandon_pending() noexcept {
  std::vector<PointPtr> superseded_by;
  const bool any = pending_.drain([&](const Task& task) {
    abandon(task, superseded_by);  // first, because it decides whether a host function runs
    try {
      add_dependencies(task, pending_.epoch(), superseded_by);
    } catch (const std::exception&) {
      errors_.report_current();
    }
  });
  if (any) frees.clear();
  Scheduler::instance().remove_blocked(this);
  Scheduler::instance().changed();
}

void StreamQueue::on_device_lost(const Error& loss) {
  const bool worked = batch_.submitted().value > 0 || batch_.is_open() || !pending_.empty();
  batch_.drop();
  if (worked) errors_.report(loss);
  errors_.on_device_lost(loss);
  batch_.cancel_end();
  abandon_pending();
}

}  // namespace aclvk::runtime
