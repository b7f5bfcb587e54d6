#include "runtime/failure/timeout_detector.hpp"

#include <algorithm>

#include "runtime/failure/op_timeout.hpp"

namespace aclvk::runtime {

TimeoutDetector::Time TimeoutDetector::running_since(const vk::TimelinePoint& end, Time now) const {
  const auto known = std::find_if(tracked_.begin(), tracked_.end(), [&](const Tracked& tracked) {
    return tracked.end.timeline == end.timeline && tracked.end.value == end.value;
  });
  return known == tracked_.end() ? now : known->since;
}

std::vector<TimeoutDetector::Overdue> TimeoutDetector::find_overdue(const std::vector<vk::PendingSubmission>& running,
                                                                    Time now) {
  std::vector<Tracked> tracked;
  std::vector<Overdue> overdue;
  for (const vk::PendingSubmission& submission : running) {
    if (submission.blocked) continue;  // it waits for another submission and has not started
    tracked.push_back({submission.end, running_since(submission.end, now)});
    // Vulkan does not report which task of a batch is running, so a batch gets the limits of all its tasks.
    const auto tasks = std::max<std::int64_t>(1, static_cast<std::int64_t>(submission.commands));
    const std::chrono::microseconds limit = task_limit() * tasks;
    if (now - tracked.back().since > limit) overdue.push_back({submission.end, limit});
  }
  tracked_ = std::move(tracked);
  return overdue;
}

}  // namespace aclvk::runtime
