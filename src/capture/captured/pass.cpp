#include "capture/captured/pass.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <utility>

#include "capture/captured/captured_model.hpp"
#include "runtime/device/device.hpp"
#include "runtime/event/event.hpp"
#include "runtime/profile/session.hpp"
#include "runtime/profile/subscription.hpp"
#include "runtime/profile/task_times.hpp"
#include "runtime/stream/dropped_task.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/stream_queue.hpp"
#include "runtime/stream/watcher.hpp"
#include "runtime/task/task_row.hpp"

namespace aclvk::capture {
namespace {

using runtime::EventRecordTask;
using runtime::EventUse;
using runtime::EventWaitTask;
using runtime::Point;

// Returns whether earlier work has to be submitted before the step is tried. A step that only waits for a flag does not
// observe that work, so the work can share a submission with later work.
bool needs_submission(const runtime::Task& task) { return !runtime::row_of(task).has(runtime::kIgnoresEarlierWork); }

}  // namespace

CapturedPass::CapturedPass(std::shared_ptr<CapturedModel> model)
    : model_(std::move(model)),
      pending_units_(model_->executable().units().size()),
      progress_(pending_units_, Progress{0, UnitEnd::not_issued()}),
      call_(runtime::profile::current_call()) {
  for (const NodeId node : model_->executable().external_events()) external_[node] = nullptr;
}

// The constructor has inserted all keys: nothing can throw between issuing a record and storing its point.
void CapturedPass::bind_external(runtime::StreamQueue& queue) {
  try {
    for (auto& [node, point] : external_) point = bind(node);
  } catch (...) {
    cancel_records(queue, {});
    throw;
  }
}

runtime::PointPtr CapturedPass::bind(NodeId node) const {
  const runtime::Task& task = model_->graph().node(node).task;
  if (const auto* record = std::get_if<EventRecordTask>(&task)) return record->event->issue_record();
  return std::get<EventWaitTask>(task).event->issue_wait();
}

// A wait that was bound when no record existed gets a cancelled point, which counts as reached.
runtime::Task CapturedPass::task_of(NodeId node) const {
  runtime::Task task = model_->graph().node(node).task;
  const auto bound = external_.find(node);
  if (bound == external_.end()) return task;
  if (auto* record = std::get_if<EventRecordTask>(&task)) record->point = bound->second;
  if (auto* wait = std::get_if<EventWaitTask>(&task)) {
    wait->point = bound->second ? bound->second : std::make_shared<Point>(Point{Point::Cancelled{}});
  }
  return task;
}

// Issues the units in topological order. Segments collect until a host step needs them submitted or nothing else is
// ready, so that a model whose host steps can all complete at once is one submission.
bool CapturedPass::advance(runtime::StreamQueue& queue) {
  if (!begun_) begin(queue);
  do {
    collect_work();
  } while (run_ready_steps(queue));
  submit_collected(queue);
  return pending_units_ == 0;
}

void CapturedPass::begin(runtime::StreamQueue& queue) {
  if (model_->prologue()) queue.batch().submit({model_->prologue()});
  begun_ = true;
  initial_value_ = queue.batch().newest_submission();
  const auto& units = model_->executable().units();
  for (std::uint32_t unit = 0; unit < units.size(); ++unit) {
    progress_[unit].pending_predecessors = static_cast<std::uint32_t>(units[unit].predecessors.size());
    if (progress_[unit].pending_predecessors == 0) make_ready(unit);
  }
}

void CapturedPass::make_ready(std::uint32_t unit) {
  if (model_->executable().units()[unit].is_step()) {
    ready_steps_.insert(std::lower_bound(ready_steps_.begin(), ready_steps_.end(), unit), unit);
  } else {
    ready_work_.push_back(unit);
    std::push_heap(ready_work_.begin(), ready_work_.end(), std::greater<>());
  }
}

// Kahn's algorithm: counts down the pending predecessors of the successors. A unit becomes ready here and in begin()
// only.
void CapturedPass::mark_issued(std::uint32_t unit) {
  assert(progress_[unit].pending_predecessors == 0 && pending_units_ > 0);
  --pending_units_;
  for (const std::uint32_t next : model_->executable().units()[unit].successors) {
    assert(progress_[next].pending_predecessors > 0);
    if (--progress_[next].pending_predecessors == 0) make_ready(next);
  }
}

bool CapturedPass::is_record(NodeId node) const {
  return std::holds_alternative<EventRecordTask>(model_->graph().node(node).task);
}

// Releases the streams that wait for EXTERNAL records of this run.
void CapturedPass::cancel_records(runtime::StreamQueue& queue, const std::vector<runtime::PointPtr>& superseded_by) {
  for (const auto& [node, point] : external_) {
    if (is_record(node) && point && !point->submitted()) queue.signals().cancel(point, superseded_by);
  }
  runtime::Scheduler::instance().changed();
}

// Steps that can run out of memory come last.
void CapturedPass::abandon(runtime::StreamQueue& queue, const std::vector<runtime::PointPtr>& superseded_by) {
  cancel_records(queue, superseded_by);
  for (const auto& [unit, step] : open_steps_) runtime::cancel_functions(step.current.task, queue, superseded_by);
  for (const auto& [node, point] : external_) {
    auto* cancelled = is_record(node) && point ? std::get_if<Point::Cancelled>(&point->state) : nullptr;
    if (cancelled) add_running_functions(cancelled->superseded_by);
  }
}

void CapturedPass::add_running_functions(std::vector<runtime::PointPtr>& superseded_by) const {
  for (const auto& [unit, step] : open_steps_) runtime::add_running_functions(step.current.task, superseded_by);
}

void CapturedPass::collect_work() {
  while (!ready_work_.empty()) {
    std::pop_heap(ready_work_.begin(), ready_work_.end(), std::greater<>());
    const std::uint32_t unit = ready_work_.back();
    ready_work_.pop_back();
    collected_.push_back(unit);
    mark_issued(unit);
  }
}

// Tries each ready step once; returns true when one completed, which may make other units ready.
bool CapturedPass::run_ready_steps(runtime::StreamQueue& queue) {
  bool moved = false;
  const std::vector<std::uint32_t> round = ready_steps_;  // a copy: completed steps make others ready
  for (const std::uint32_t unit : round) moved = try_step(queue, unit) || moved;
  return moved;
}

bool CapturedPass::try_step(runtime::StreamQueue& queue, std::uint32_t unit) {
  auto open = open_steps_.find(unit);
  if (open == open_steps_.end()) {
    runtime::CurrentTask current(task_of(model_->executable().units()[unit].step));
    open = open_steps_.emplace(unit, OpenStep{std::move(current), std::nullopt}).first;
  }
  OpenStep& step = open->second;
  if (!run_step(queue, unit, step)) return false;
  progress_[unit].end = end_of(queue, step);
  open_steps_.erase(open);
  ready_steps_.erase(std::lower_bound(ready_steps_.begin(), ready_steps_.end(), unit));
  mark_issued(unit);
  return true;
}

// Steps without a value that is known now wait for an unknown submission or submit themselves: their successors wait
// for everything submitted by then.
CapturedPass::UnitEnd CapturedPass::end_of(runtime::StreamQueue& queue, const OpenStep& step) {
  switch (runtime::row_of(step.current.task).step_end) {
    case runtime::StepEnd::kAtStart: return UnitEnd::at(*step.wait_value);
    case runtime::StepEnd::kOwnSubmission: return UnitEnd::at(queue.batch().submitted().value);
    case runtime::StepEnd::kNewest:
    case runtime::StepEnd::kNone: break;
  }
  return UnitEnd::newest_when_waited();
}

bool CapturedPass::run_step(runtime::StreamQueue& queue, std::uint32_t unit, OpenStep& step) {
  if (!needs_submission(step.current.task)) return queue.run_task(step.current.task);
  submit_collected(queue);
  if (!step.wait_value) step.wait_value = wait_value_of(queue, unit);
  return queue.run_step(step.current.task, *step.wait_value);
}

// Called once for each step, so that later submissions of other branches do not delay it.
std::uint64_t CapturedPass::wait_value_of(runtime::StreamQueue& queue, std::uint32_t unit) const {
  std::uint64_t value = initial_value_;
  bool all_known = true;
  for (const std::uint32_t before : model_->executable().units()[unit].predecessors) {
    const UnitEnd& end = progress_[before].end;
    assert(end.issued());
    all_known = all_known && end.value();
    value = std::max(value, end.value().value_or(0));
  }
  const bool submitted = all_known && value <= queue.batch().submitted().value;
  return submitted ? value : queue.batch().flush().value;
}

void CapturedPass::submit_collected(runtime::StreamQueue& queue) {
  if (collected_.empty()) return;
  const auto units = std::exchange(collected_, {});
  if (units.size() == 1) {
    submit_slices(queue, model_->executable().slices_of_unit(units[0]));
  } else {
    std::vector<std::uint32_t> slices;
    for (const std::uint32_t unit : units) {
      const auto& work = model_->executable().slices_of_unit(unit);
      slices.insert(slices.end(), work.begin(), work.end());
    }
    submit_slices(queue, slices);
  }
  for (const std::uint32_t unit : units) progress_[unit].end = UnitEnd::at(queue.batch().submitted().value);
}

void CapturedPass::submit_slices(runtime::StreamQueue& queue, const std::vector<std::uint32_t>& slices) {
  if (runtime::profile::on(runtime::profile::kTasks | runtime::profile::kModels) && timed(queue)) {
    submit_timed(queue, slices);
  } else {
    queue.batch().submit({model_->executable().compose(model_->graph(), slices)});
  }
}

bool CapturedPass::timed(runtime::StreamQueue& queue) const {
  const runtime::Device& device = queue.device();
  return device.gpu().has_timestamps() &&
         (runtime::profile::times_tasks(device.id) || runtime::profile::subscribed(model_->id));
}

void CapturedPass::submit_timed(runtime::StreamQueue& queue, const std::vector<std::uint32_t>& slices) {
  const auto& timed = model_->executable().compose_timed(model_->graph(), slices);
  const vk::TimelinePoint done = queue.batch().submit({timed.primary});
  runtime::profile::ModelRun run{model_->id, model_->name, call_};
  runtime::profile::add_submission({timed.tasks, &queue.device(), queue.stream_id(), done, std::move(run)});
  // A subscriber waits for its records, so collect them on completion; a trace file is written later.
  if (runtime::profile::subscribed(model_->id)) {
    queue.device().watcher().when_reached(done, runtime::profile::collect_quietly);
  }
}

runtime::WaitLimit CapturedPass::expired_limit(std::chrono::steady_clock::time_point now) const {
  runtime::WaitLimit limit{0};
  for (const auto& [unit, step] : open_steps_) limit = std::max(limit, step.current.expired_limit(now));
  return limit;
}

std::string CapturedPass::waits_for() const {
  std::vector<std::string> names;
  for (const auto& [unit, step] : open_steps_) {
    const auto* task = std::get_if<runtime::ProcedureTask>(&step.current.task);
    const NodeId node = model_->executable().units()[unit].step;
    names.push_back(task && task->procedure ? task->procedure->waits_for() : display_name(model_->graph().node(node)));
  }
  return text_of_wait(*model_, names);
}

}  // namespace aclvk::capture
