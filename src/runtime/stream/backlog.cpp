#include "runtime/stream/backlog.hpp"

#include <algorithm>

namespace aclvk::runtime {
namespace {

// A replay may have more tasks than the limit. While the device executes one, the next ones must already be submitted.
constexpr std::size_t kMinSubmissions = 4;

}  // namespace

void Backlog::add(std::uint64_t value, std::size_t tasks) {
  submissions_.push_back({value, std::max<std::size_t>(tasks, 1)});  // a submission that only waits counts as one task
  tasks_ += submissions_.back().tasks;
}

void Backlog::remove_last() {
  tasks_ -= submissions_.back().tasks;
  submissions_.pop_back();
}

// The query of the timeline is a call of the driver, so it is made only at the limit. Until then the list also holds
// completed submissions.
bool Backlog::full(const vk::Timeline& timeline) {
  if (!over_limit()) return false;
  const std::uint64_t completed = timeline.completed();
  while (!submissions_.empty() && submissions_.front().value <= completed) {
    tasks_ -= submissions_.front().tasks;
    submissions_.pop_front();
  }
  return over_limit();
}

// Submissions complete in the order of the list. An empty list gives 0, the initial value of a timeline, which counts
// as reached.
std::uint64_t Backlog::half_done_value() const {
  std::size_t left = tasks_;
  const auto middle = std::find_if(submissions_.begin(), submissions_.end(),
                                   [&](const Submission& submission) REQUIRES(scheduler_mutex) {
                                     left -= submission.tasks;
                                     return left <= tasks_ / 2;
                                   });
  return middle == submissions_.end() ? 0 : middle->value;
}

bool Backlog::over_limit() const { return submissions_.size() >= kMinSubmissions && tasks_ >= max_tasks_; }

}  // namespace aclvk::runtime
