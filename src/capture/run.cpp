#include "capture/run.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/error.hpp"
#include "capture/lifetime.hpp"
#include "runtime/stream/stream_queue.hpp"

namespace aclvk::capture {

// The turn is taken last: from then on the runs behind this one wait for its end.
Run::Run(ModelPtr model, runtime::StreamQueue& queue)
    : model_(std::move(model)),
      turn_(std::make_shared<Turn>(Turn{std::make_shared<runtime::Point>(), nullptr, false, false})),
      pass_(model_->start_pass(queue)) {
  model_->take_turn(turn_);
}

bool Run::advance(runtime::StreamQueue& queue) {
  check(!turn_->stopped, Code::kModelAbortNormal, "The run of model {} was stopped by aclmdlRIAbort.", model_->id);
  if (!queue_ && !begin(queue)) return false;
  if (!pass_->advance(queue)) return false;
  queue.set_point(turn_->end);
  return true;
}

bool Run::begin(runtime::StreamQueue& queue) {
  const runtime::PointPtr before = end_of(turn_->before);
  if (before && !queue.wait_point(before)) return false;
  turn_->before = nullptr;
  queue_ = &queue;
  return true;
}

// The next run must not overtake what this one has submitted, nor its functions that run on. It is let go first: what
// comes behind that may fail for want of memory.
void Run::abandon(runtime::StreamQueue& queue, const std::vector<runtime::PointPtr>& superseded_by) {
  if (queue_) {
    queue.cancel(turn_->end);
  } else {
    turn_->dropped = true;
    // Dropped turns do not pile up: a long chain of them would end in one deep recursion.
    while (turn_->before && turn_->before->dropped) turn_->before = turn_->before->before;
  }
  pass_->abandon(queue, superseded_by);
  if (queue_) pass_->add_running_functions(turn_->end->superseded_by);
}

void Run::add_running_functions(std::vector<runtime::PointPtr>& superseded_by) const {
  pass_->add_running_functions(superseded_by);
}

runtime::WaitLimit Run::expired_limit(std::chrono::steady_clock::time_point now) const {
  return pass_->expired_limit(now);
}

// However far it has come: what is kept for it longer than it is needed is only used again later.
bool Run::uses(const vk::BufferRange& allocation) const { return capture::uses(*model_, allocation); }

std::string Run::waits_for() const {
  return queue_ ? pass_->waits_for() : fmt::format("an earlier run of model {}", model_->id);
}

}  // namespace aclvk::capture
