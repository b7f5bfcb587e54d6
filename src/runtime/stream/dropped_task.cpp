#include "runtime/stream/dropped_task.hpp"

#include <atomic>
#include <exception>
#include <memory>
#include <utility>

#include "runtime/event/event.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/stream_queue.hpp"

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
  if (wait && wait->point && wait->point->issued) return {wait->point};
  std::vector<PointPtr> functions;
  add_running_functions(task, functions);
  return functions;
}

// Returns true when `second` is known not to be reached before `first`: both are on one timeline, or both are pending
// records of one epoch.
bool comes_before(const Point& first, const Point& second) {
  if (first.submitted && second.submitted) {
    return first.submitted->timeline == second.submitted->timeline && first.submitted->value <= second.submitted->value;
  }
  return first.pending_in(second.epoch) && second.pending_in(first.epoch) && first.number <= second.number;
}

// Adds the point, and keeps only the latest of each stream. Otherwise each of many dropped records would refer to the
// points of all waits before it.
void add_latest(const PointPtr& point, std::vector<PointPtr>& superseded_by) {
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
void add_superseding(const PointPtr& point, std::uint32_t own_epoch, std::vector<PointPtr>& superseded_by) {
  if (point->reached()) return;
  if (!point->cancelled) {
    if (!point->pending_in(own_epoch)) add_latest(point, superseded_by);
    return;
  }
  for (const PointPtr& before : point->superseded_by) add_superseding(before, own_epoch, superseded_by);
  if (!point->submitted) return;
  add_latest(std::make_shared<Point>(Point{point->submitted, true, false, point->device}), superseded_by);
}

void abandon_procedure(const ProcedureTask& task, StreamQueue& queue,
                       const std::vector<PointPtr>& superseded_by) noexcept REQUIRES(scheduler_mutex) {
  try {
    if (task.procedure) task.procedure->abandon(queue, superseded_by);
  } catch (const std::exception&) {
    queue.errors().report_current();
  }
}

}  // namespace

void abandon(const Task& task, StreamQueue& queue, const std::vector<PointPtr>& superseded_by) noexcept {
  if (const auto* record = std::get_if<EventRecordTask>(&task)) {
    if (record->point) queue.signals().cancel(record->point, superseded_by);
  } else if (const auto* wait = std::get_if<EventWaitTask>(&task); wait && wait->passed) {
    wait->passed->device = &queue.device();
    wait->passed->cancelled = true;
  } else if (const auto* host = std::get_if<HostTask>(&task)) {
    host->drop();
    if (host->done) host->done->flag.set = true;
  } else if (const auto* procedure = std::get_if<ProcedureTask>(&task)) {
    abandon_procedure(*procedure, queue, superseded_by);
  }
  Scheduler::instance().changed();
}

void drop_step(const Task& step, StreamQueue& queue, const std::vector<PointPtr>& superseded_by) {
  if (const auto* host = std::get_if<HostTask>(&step)) {
    host->drop();
  } else if (const auto* procedure = std::get_if<ProcedureTask>(&step); procedure && procedure->procedure) {
    procedure->procedure->abandon(queue, superseded_by);
  }
}

void add_running_functions(const Task& task, std::vector<PointPtr>& superseded_by) {
  if (const auto* host = std::get_if<HostTask>(&task); host && host->state) {
    auto point = std::make_shared<Point>();
    point->remote = std::make_shared<RunningFunction>(host->state);
    superseded_by.push_back(std::move(point));
  } else if (const auto* procedure = std::get_if<ProcedureTask>(&task); procedure && procedure->procedure) {
    procedure->procedure->add_running_functions(superseded_by);
  }
}

void add_dependencies(const Task& task, std::uint32_t epoch, std::vector<PointPtr>& superseded_by) {
  for (const PointPtr& point : dependencies_of(task)) add_superseding(point, epoch, superseded_by);
}

}  // namespace aclvk::runtime
