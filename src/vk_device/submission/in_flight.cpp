#include "vk_device/submission/in_flight.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace aclvk::vk {

InFlight::InFlight(std::size_t queues) : queues_(queues), last_(queues, List(1)) {}

void InFlight::add(std::size_t queue, Entry entry) noexcept {
  const LockGuard lock(mutex_);
  // Splicing a node that exists cannot fail: the driver has the submission already.
  entry.list_.front().number = ++newest_;
  queues_[queue].splice(queues_[queue].end(), entry.list_);
}

std::uint64_t InFlight::newest() const {
  const LockGuard lock(mutex_);
  return newest_;
}

void InFlight::sweep() {
  List done;  // destroyed after the lock is released
  const LockGuard lock(mutex_);
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    auto& queue = queues_[i];
    // A signal operation waits for all earlier submissions of its queue, so the submissions of a queue complete in
    // order, whatever timelines they signal.
    while (!queue.empty() && queue.front().submission.signal.reached()) {
      // Keeps the semaphores of this submission until the next one completes; its commands are destroyed with the
      // previous semaphores (see last_).
      queue.front().submission.commands.swap(last_[i].front().submission.commands);
      done.splice(done.end(), last_[i]);
      last_[i].splice(last_[i].end(), queue, queue.begin());
    }
  }
}

bool InFlight::completed(std::uint64_t number) const {
  const LockGuard lock(mutex_);
  for (const auto& queue : queues_) {
    if (!queue.empty() && queue.front().number <= number) return false;
  }
  return true;
}

bool InFlight::writes(const std::shared_ptr<Timeline>& timeline, const BufferRange& range) const {
  const LockGuard lock(mutex_);
  for (const auto& queue : queues_) {
    for (const auto& [number, submission] : queue) {
      if ((timeline && submission.signal.timeline != timeline) || submission.signal.reached()) continue;
      for (const auto& commands : submission.commands) {
        if (commands->writes(range)) return true;
      }
    }
  }
  return false;
}

std::vector<PendingSubmission> InFlight::oldest_pending() const {
  std::vector<PendingSubmission> pending;
  const LockGuard lock(mutex_);
  for (const auto& queue : queues_) {
    const auto reached = [](const TimelinePoint& point) { return point.reached(); };
    const auto first =
        std::find_if(queue.begin(), queue.end(), [&](const auto& entry) { return !reached(entry.submission.signal); });
    if (first == queue.end()) continue;
    const Submission& submission = first->submission;
    PendingSubmission oldest{submission.signal, 0,
                             !std::all_of(submission.waits.begin(), submission.waits.end(), reached)};
    for (const auto& commands : submission.commands) oldest.commands += commands->commands();
    pending.push_back(std::move(oldest));
  }
  return pending;
}

// One pass in submission order finds all of them, because a submission waits only for points of earlier ones (Queue).
std::vector<TimelinePoint> InFlight::blocked_by(const TimelinePoint& end) const {
  const LockGuard lock(mutex_);
  std::map<std::uint64_t, std::pair<std::size_t, const Submission*>> in_order;
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    for (const auto& [number, submission] : queues_[i]) in_order[number] = {i, &submission};
  }
  std::vector<TimelinePoint> blocked{end};
  const auto is_blocked = [&](const TimelinePoint& point) {
    return std::any_of(blocked.begin(), blocked.end(), [&](const TimelinePoint& first) {
      return first.timeline == point.timeline && first.value <= point.value;
    });
  };
  std::vector<bool> queue_blocked(queues_.size(), false);
  for (const auto& [number, entry] : in_order) {
    const auto& [queue, submission] = entry;
    const bool own = is_blocked(submission->signal);
    const bool waits = std::any_of(submission->waits.begin(), submission->waits.end(), is_blocked);
    queue_blocked[queue] = queue_blocked[queue] || own || waits;
    if (queue_blocked[queue] && !own) blocked.push_back(submission->signal);
  }
  return blocked;
}

void InFlight::wait(std::uint64_t number) {
  std::vector<TimelinePoint> points;
  {
    const LockGuard lock(mutex_);
    for (const auto& queue : queues_) {
      for (const auto& entry : queue) {
        if (entry.number <= number) points.push_back(entry.submission.signal);
      }
    }
  }
  for (const TimelinePoint& point : points) point.timeline->wait(point.value);
  sweep();
}

}  // namespace aclvk::vk
