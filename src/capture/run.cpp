#include "capture/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "capture/model.hpp"
#include "runtime/stream_queue.hpp"

namespace aclvk::capture {
namespace {

// A wait for a flag can share a submission with what comes before it; the others must see the earlier work submitted.
bool needs_submission(const runtime::Task& task) {
  return !std::holds_alternative<runtime::EventWaitTask>(task) &&
         !std::holds_alternative<runtime::EventResetTask>(task) &&
         !std::holds_alternative<runtime::NotifyWaitTask>(task);
}

}  // namespace

Run::Run(std::shared_ptr<Model> model)
    : model_(std::move(model)),
      turn_(model_->take_turn(std::make_shared<runtime::Point>())),
      done_(model_->graph().lanes().size(), 0),
      issued_(model_->executable().segments().size(), false),
      current_(model_->graph().lanes().size()) {}

bool Run::advance(runtime::StreamQueue& queue) {
  if (!begun_) {
    const runtime::PointPtr before = end_of(turn_->before);
    if (before && !queue.wait_point(before)) return false;
    begun_ = true;
    turn_->before = nullptr;
  }
  do {
    collect_segments();
  } while (do_steps(queue));
  submit_collected(queue);
  if (!finished()) return false;
  queue.set_point(turn_->end);
  return true;
}

// The next run must not overtake what this one has submitted.
void Run::abandon() {
  if (last_submitted_) {
    *turn_->end = *last_submitted_;
  } else {
    turn_->end->aborted = true;
  }
}

void Run::collect_segments() {
  const auto& segments = model_->executable().segments();
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (issued_[i] || !not_after(segments[i].after, done_)) continue;
    issued_[i] = true;
    collected_.insert(collected_.end(), segments[i].pieces.begin(), segments[i].pieces.end());
  }
}

// One round over the lanes; true when a step was done, so that more may be possible.
bool Run::do_steps(runtime::StreamQueue& queue) {
  bool moved = false;
  for (std::uint32_t lane = 0; lane < done_.size(); ++lane) moved = do_step(queue, lane) || moved;
  return moved;
}

bool Run::do_step(runtime::StreamQueue& queue, std::uint32_t lane) {
  const auto& steps = model_->executable().steps()[lane];
  if (done_[lane] == steps.size()) return false;
  const Step& step = steps[done_[lane]];
  if (!not_after(step.after, done_)) return false;
  if (!current_[lane]) current_[lane] = model_->graph().node(step.node).task;
  if (needs_submission(*current_[lane])) submit_collected(queue);
  if (!queue.run_task(*current_[lane])) return false;
  current_[lane].reset();
  ++done_[lane];
  return true;
}

void Run::submit_collected(runtime::StreamQueue& queue) {
  if (collected_.empty()) return;
  const auto primary = model_->executable().compose(std::exchange(collected_, {}));
  last_submitted_ = runtime::Point{queue.submit({primary}), true, false, &queue.device()};
}

bool Run::finished() const {
  const auto& steps = model_->executable().steps();
  for (std::size_t lane = 0; lane < done_.size(); ++lane) {
    if (done_[lane] != steps[lane].size()) return false;
  }
  return true;
}

std::string Run::waits_for() const {
  if (!begun_) return fmt::format("an earlier run of model {}", model_->id);
  std::string names;
  for (std::uint32_t lane = 0; lane < done_.size(); ++lane) {
    if (!current_[lane]) continue;
    const NodeId node = model_->executable().steps()[lane][done_[lane]].node;
    names += (names.empty() ? "" : ", ") + display_name(model_->graph().node(node));
  }
  return fmt::format("model {} at {}", model_->id, names);
}

}  // namespace aclvk::capture
