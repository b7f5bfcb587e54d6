#include "runtime/stream/dropped_task.hpp"

#include <atomic>
#include <exception>
#include <memory>
#include <utility>

#include "runtime/event/event.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/stream_queue.hpp"
#include "runtime/task/task_row.hpp"

namespace aclvk::runtime {
namespace {

/// A host function that is still running although its stream has dropped the task.
class RunningFunction final : public RemoteWork {
 public:
  explicit RunningFunction(std::shared_ptr<const std::atomic<HostTask::State>> state) : state_(std::move(state)) {}
  bool reached() const override { return *state_ == HostTask::State::kDone; }
  bool lost() const override { return false; }

 private:
  const std::shared_ptr<const std::atomic<HostTask::State>> state_;
};

// Returns the work that a dropped task has ordered its stream after: the issued record that it waits for, or its own
// host functions that are already running. A record that has not been issued is left out, because it may never be.
std::vector<PointPtr> dependencies_of(const Task& task) REQUIRES(scheduler_mutex) {
  const auto* wait = std::get_if<EventWaitTask>(&task);
  if (wait && wait->point && wait->point->issued()) return {wait->point};
  std::vector<PointPtr> functions;
  add_running_functions(task, functions);
  return functions;
}

// Returns true when `second` is known not to be reached before `first`: both are on one timeline, or both are pending
// records of one epoch.
bool comes_before(const Point& first, const Point& second) REQUIRES(scheduler_mutex) {
  const auto *first_end = first.submitted(), *second_end = second.submitted();
  if (first_end && second_end) {
    return first_end->timeline == second_end->timeline && first_end->value <= second_end->value;
  }
  const auto *first_queued = first.as<Point::Queued>(), *second_queued = second.as<Point::Queued>();
  return first_queued && second_queued && second.pending_in(first_queued->epoch) &&
         first.pending_in(second_queued->epoch) && first_queued->number <= second_queued->number;
}

// Adds the point, and keeps only the latest of each stream. Otherwise each of many dropped records would refer to the
// points of all waits before it.
void add_latest(const PointPtr& point, std::vector<PointPtr>& superseded_by) REQUIRES(scheduler_mutex) {
  for (PointPtr& existing : superseded_by) {
    if (comes_before(*point, *existing)) return;
    if (!comes_before(*existing, *point)) continue;
    existing = point;
    return;
  }
  superseded_by.push_back(point);
}

// Replaces a cancelled point by what supersedes it. Leaves out pending records of the stream itself, so that no two
// points ever supersede each other.
void add_superseding(const PointPtr& point, std::uint32_t own_epoch, std::vector<PointPtr>& superseded_by)
    REQUIRES(scheduler_mutex) {
  if (point->reached()) return;
  const auto* cancelled = point->as<Point::Cancelled>();
  if (!cancelled) {
    if (!point->pending_in(own_epoch)) add_latest(point, superseded_by);
    return;
  }
  for (const PointPtr& before : cancelled->superseded_by) add_superseding(before, own_epoch, superseded_by);
  if (!cancelled->end) return;
  add_latest(std::make_shared<Point>(Point{Point::Submitted{*cancelled->end, cancelled->device}}), superseded_by);
}

void release(const EventRecordTask& record, StreamQueue& queue, const std::vector<PointPtr>& superseded_by)
    REQUIRES(scheduler_mutex) {
  if (record.point) queue.signals().cancel(record.point, superseded_by);
}

// A cancelled point without an end counts as reached, so aclrtQueryEventWaitStatus reports the dropped wait as
// complete.
void release(const EventWaitTask& wait, StreamQueue& queue, const std::vector<PointPtr>&) REQUIRES(scheduler_mutex) {
  if (wait.passed) wait.passed->state = Point::Cancelled{{}, &queue.device(), {}};
}

// Sets `done` in place of the function. A function that has begun sets it, too, which has no further effect.
void release(const HostTask& host, StreamQueue&, const std::vector<PointPtr>&) REQUIRES(scheduler_mutex) {
  host.drop();
  if (host.done) host.done->flag.set = true;
}

void release(const ProcedureTask& task, StreamQueue& queue, const std::vector<PointPtr>& superseded_by)
    REQUIRES(scheduler_mutex) {
  try {
    if (task.procedure) task.procedure->abandon(queue, superseded_by);
  } catch (const std::exception&) {
    queue.errors().report_current();
  }
}

void cancel(const HostTask& host, StreamQueue&, const std::vector<PointPtr>&) REQUIRES(scheduler_mutex) { host.drop(); }

void cancel(const ProcedureTask& task, StreamQueue& queue, const std::vector<PointPtr>& superseded_by)
    REQUIRES(scheduler_mutex) {
  if (task.procedure) task.procedure->abandon(queue, superseded_by);
}

void add_functions(const HostTask& host, std::vector<PointPtr>& superseded_by) REQUIRES(scheduler_mutex) {
  if (!host.state) return;
  const Point::Remote running{std::make_shared<RunningFunction>(host.state)};
  superseded_by.push_back(std::make_shared<Point>(Point{running}));
}

void add_functions(const ProcedureTask& task, std::vector<PointPtr>& superseded_by) REQUIRES(scheduler_mutex) {
  if (task.procedure) task.procedure->add_running_functions(superseded_by);
}

}  // namespace

void release_waiters_for(const Task& task, StreamQueue& queue, const std::vector<PointPtr>& superseded_by) noexcept {
  std::visit(
      [&](const auto& kind) REQUIRES(scheduler_mutex) {
        if constexpr (kTaskRow<decltype(kind)>.has(kHasWaiters)) release(kind, queue, superseded_by);
      },
      task);
  Scheduler::instance().changed();
}

void cancel_functions(const Task& step, StreamQueue& queue, const std::vector<PointPtr>& superseded_by) {
  std::visit(
      [&](const auto& kind) REQUIRES(scheduler_mutex) {
        if constexpr (kTaskRow<decltype(kind)>.has(kRunsFunctions)) cancel(kind, queue, superseded_by);
      },
      step);
}

void add_running_functions(const Task& task, std::vector<PointPtr>& superseded_by) {
  std::visit(
      [&](const auto& kind) REQUIRES(scheduler_mutex) {
        if constexpr (kTaskRow<decltype(kind)>.has(kRunsFunctions)) add_functions(kind, superseded_by);
      },
      task);
}

void add_dependencies(const Task& task, std::uint32_t epoch, std::vector<PointPtr>& superseded_by) {
  for (const PointPtr& point : dependencies_of(task)) add_superseding(point, epoch, superseded_by);
}

}  // namespace aclvk::runtime
