#include "capture/model/run.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/error.hpp"
#include "capture/model/lifetime.hpp"
#include "runtime/stream/stream_queue.hpp"

namespace aclvk::capture {

using runtime::Point;

// Enqueued last: from then on later runs wait for the end of this one.
Run::Run(ModelPtr model, runtime::StreamQueue& queue)
    : model_(std::move(model)),
      ticket_(std::make_shared<RunTicket>(
          RunTicket{std::make_shared<Point>(Point{Point::Queued{}}), nullptr, false, false})),
      pass_(model_->start_pass(queue)) {
  model_->enqueue_run(ticket_);
}

bool Run::advance(runtime::StreamQueue& queue) {
  check(!ticket_->stopped, Code::kModelAbortNormal, "The run of model {} was stopped by aclmdlRIAbort.", model_->id);
  if (!queue_ && !begin(queue)) return false;
  if (!pass_->advance(queue)) return false;
  queue.signals().set_point(ticket_->end);
  return true;
}

bool Run::begin(runtime::StreamQueue& queue) {
  const runtime::PointPtr before = end_of(ticket_->previous);
  if (before && !queue.signals().wait_point(before)) return false;
  ticket_->previous = nullptr;
  queue_ = &queue;
  return true;
}

// The next run still waits for what this one has submitted and for its host functions in progress. The end is cancelled
// first, because the later steps can run out of memory.
void Run::abandon(runtime::StreamQueue& queue, const std::vector<runtime::PointPtr>& superseded_by) {
  if (queue_) {
    queue.signals().cancel(ticket_->end);
  } else {
    ticket_->dropped = true;
    // Unlinks dropped runs: the destructor of a long chain of tickets would recurse deeply.
    while (ticket_->previous && ticket_->previous->dropped) ticket_->previous = ticket_->previous->previous;
  }
  pass_->abandon(queue, superseded_by);
  if (queue_) pass_->add_running_functions(std::get<Point::Cancelled>(ticket_->end->state).superseded_by);
}

void Run::add_running_functions(std::vector<runtime::PointPtr>& superseded_by) const {
  pass_->add_running_functions(superseded_by);
}

runtime::WaitLimit Run::expired_limit(std::chrono::steady_clock::time_point now) const {
  return pass_->expired_limit(now);
}

// Ignores the progress of the run: memory that is retained too long is only reused later.
bool Run::uses(const vk::BufferRange& allocation) const { return capture::uses(*model_, allocation); }

std::string Run::waits_for() const {
  return queue_ ? pass_->waits_for() : fmt::format("an earlier run of model {}", model_->id);
}

}  // namespace aclvk::capture
