#include "capture/pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "capture/captured_model.hpp"
#include "runtime/device/device.hpp"
#include "runtime/event/event.hpp"
#include "runtime/profile/session.hpp"
#include "runtime/profile/subscription.hpp"
#include "runtime/profile/task_times.hpp"
#include "runtime/stream/dropped_task.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/stream_queue.hpp"
#include "runtime/stream/watcher.hpp"

namespace aclvk::capture {
namespace {

using runtime::EventRecordTask;
using runtime::EventUse;
using runtime::EventWaitTask;

// A wait for a flag can share a submission with what comes before it; the others must see the earlier work submitted.
bool needs_submission(const runtime::Task& task) {
  return !std::holds_alternative<EventWaitTask>(task) && !std::holds_alternative<runtime::EventResetTask>(task) &&
         !std::holds_alternative<runtime::NotifyWaitTask>(task);
}

}  // namespace

CapturedPass::CapturedPass(std::shared_ptr<CapturedModel> model)
    : model_(std::move(model)),
      done_(model_->graph().lanes().size(), 0),
      issued_(model_->executable().segments().size(), false),
      current_(model_->graph().lanes().size()),
      call_(runtime::profile::current_call()) {
  for (const NodeId node : model_->executable().external_events()) external_[node] = nullptr;
}

// Each has its place already, so that a record that has been issued is not forgotten.
void CapturedPass::bind_external(runtime::StreamQueue& queue) {
  try {
    for (auto& [node, point] : external_) point = issue(node);
  } catch (...) {
    give_up_records(queue, {});
    throw;
  }
}

runtime::PointPtr CapturedPass::issue(NodeId node) const {
  const runtime::Task& task = model_->graph().node(node).task;
  if (const auto* record = std::get_if<EventRecordTask>(&task)) return record->event->issue_record();
  return std::get<EventWaitTask>(task).event->issue_wait();
}

// A wait that found no record has nothing to wait for: its Point is one that counts as reached.
runtime::Task CapturedPass::task_of(NodeId node) const {
  runtime::Task task = model_->graph().node(node).task;
  const auto bound = external_.find(node);
  if (bound == external_.end()) return task;
  if (auto* record = std::get_if<EventRecordTask>(&task)) record->point = bound->second;
  if (auto* wait = std::get_if<EventWaitTask>(&task)) {
    wait->point = bound->second ? bound->second : std::make_shared<runtime::Point>();
    wait->point->aborted = wait->point->aborted || !bound->second;
  }
  return task;
}

bool CapturedPass::advance(runtime::StreamQueue& queue) {
  if (!begun_ && model_->prologue()) queue.submit({model_->prologue()});
  begun_ = true;
  do {
    collect_segments();
  } while (do_steps(queue));
  submit_collected(queue);
  return finished();
}

bool CapturedPass::records(NodeId node) const {
  return std::holds_alternative<EventRecordTask>(model_->graph().node(node).task);
}

// Those who wait for this launch's EXTERNAL records must be let go.
void CapturedPass::give_up_records(runtime::StreamQueue& queue, const std::vector<runtime::PointPtr>& follows) {
  for (const auto& [node, point] : external_) {
    if (records(node) && point && !point->submitted) queue.give_up(point, follows);
  }
  runtime::Scheduler::instance().changed();
}

// What may fail for want of memory comes last.
void CapturedPass::abandon(runtime::StreamQueue& queue, const std::vector<runtime::PointPtr>& follows) {
  give_up_records(queue, follows);
  for (const auto& current : current_) {
    if (current) runtime::drop_step(current->task, queue, follows);
  }
  for (const auto& [node, point] : external_) {
    if (records(node) && point && point->aborted) add_functions_at_work(point->follows);
  }
}

void CapturedPass::add_functions_at_work(std::vector<runtime::PointPtr>& follows) const {
  for (const auto& current : current_) {
    if (current) runtime::add_functions_at_work(current->task, follows);
  }
}

void CapturedPass::collect_segments() {
  const auto& segments = model_->executable().segments();
  while (first_waiting_ < segments.size() && issued_[first_waiting_]) ++first_waiting_;
  const std::uint32_t done = sum(done_);
  for (std::size_t i = first_waiting_; i < segments.size() && sum(segments[i].after) <= done; ++i) {
    if (issued_[i] || !not_after(segments[i].after, done_)) continue;
    issued_[i] = true;
    collected_.insert(collected_.end(), segments[i].pieces.begin(), segments[i].pieces.end());
  }
}

// One round over the lanes; true when a step was done, so that more may be possible.
bool CapturedPass::do_steps(runtime::StreamQueue& queue) {
  bool moved = false;
  for (std::uint32_t lane = 0; lane < done_.size(); ++lane) moved = do_step(queue, lane) || moved;
  return moved;
}

bool CapturedPass::do_step(runtime::StreamQueue& queue, std::uint32_t lane) {
  const auto& steps = model_->executable().steps()[lane];
  if (done_[lane] == steps.size()) return false;
  const Step& step = steps[done_[lane]];
  if (!not_after(step.after, done_)) return false;
  if (!current_[lane]) current_[lane].emplace(task_of(step.node));
  if (needs_submission(current_[lane]->task)) submit_collected(queue);
  if (!queue.run_task(current_[lane]->task)) return false;
  current_[lane].reset();
  ++done_[lane];
  return true;
}

void CapturedPass::submit_collected(runtime::StreamQueue& queue) {
  if (collected_.empty()) return;
  auto pieces = std::exchange(collected_, {});
  if (runtime::profile::on(runtime::profile::kTasks | runtime::profile::kModels) && timed(queue)) {
    return submit_timed(queue, std::move(pieces));
  }
  queue.submit({model_->executable().compose(model_->graph(), std::move(pieces))});
}

bool CapturedPass::timed(runtime::StreamQueue& queue) const {
  const runtime::Device& device = queue.device();
  return device.gpu().has_timestamps() &&
         (runtime::profile::times_tasks(device.id) || runtime::profile::subscribed(model_->id));
}

void CapturedPass::submit_timed(runtime::StreamQueue& queue, std::vector<std::uint32_t> pieces) {
  const auto& timed = model_->executable().compose_timed(model_->graph(), std::move(pieces));
  const vk::TimelinePoint done = queue.submit({timed.primary});
  runtime::profile::ModelRun run{model_->id, model_->name, call_};
  runtime::profile::note_submitted({timed.tasks, &queue.device(), queue.stream_id(), done, std::move(run)});
  // A reader waits for its records; a trace can wait.
  if (runtime::profile::subscribed(model_->id)) {
    queue.device().watcher().when_reached(done, runtime::profile::collect_quietly);
  }
}

bool CapturedPass::finished() const {
  const auto& steps = model_->executable().steps();
  for (std::size_t lane = 0; lane < done_.size(); ++lane) {
    if (done_[lane] != steps[lane].size()) return false;
  }
  return true;
}

runtime::WaitLimit CapturedPass::overdue(std::chrono::steady_clock::time_point now) const {
  runtime::WaitLimit limit{0};
  for (const auto& current : current_) {
    if (current) limit = std::max(limit, current->overdue(now));
  }
  return limit;
}

std::string CapturedPass::waits_for() const {
  std::string names;
  for (std::uint32_t lane = 0; lane < done_.size(); ++lane) {
    if (!current_[lane]) continue;
    const auto* step = std::get_if<runtime::ProcedureTask>(&current_[lane]->task);
    const NodeId node = model_->executable().steps()[lane][done_[lane]].node;
    names += names.empty() ? "" : ", ";
    names += step && step->procedure ? step->procedure->waits_for() : display_name(model_->graph().node(node));
  }
  return fmt::format("model {} at {}", model_->id, names);
}

}  // namespace aclvk::capture
