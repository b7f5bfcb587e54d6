#include "runtime/failure/overtime.hpp"

#include <algorithm>

#include "runtime/failure/op_timeout.hpp"

namespace aclvk::runtime {

Overtime::Time Overtime::first_seen(const vk::TimelinePoint& end, Time now) const {
  const auto known = std::find_if(seen_.begin(), seen_.end(), [&](const Seen& seen) {
    return seen.end.timeline == end.timeline && seen.end.value == end.value;
  });
  return known == seen_.end() ? now : known->since;
}

std::vector<Overtime::Overdue> Overtime::look(const std::vector<vk::PendingSubmission>& running, Time now) {
  std::vector<Seen> seen;
  std::vector<Overdue> overdue;
  for (const vk::PendingSubmission& submission : running) {
    if (submission.blocked) continue;
    seen.push_back({submission.end, first_seen(submission.end, now)});
    // Which task of a batch is at work cannot be told, so none is accused wrongly.
    const auto tasks = std::max<std::int64_t>(1, static_cast<std::int64_t>(submission.commands));
    const std::chrono::microseconds limit = task_limit() * tasks;
    if (now - seen.back().since > limit) overdue.push_back({submission.end, limit});
  }
  seen_ = std::move(seen);
  return overdue;
}

}  // namespace aclvk::runtime
