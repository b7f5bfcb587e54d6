#include "runtime/stream/scheduler.hpp"

#include <algorithm>
#include <vector>

#include "base/process_state.hpp"
#include "runtime/stream/stream_queue.hpp"

namespace aclvk::runtime {

Scheduler& Scheduler::instance() { return ProcessState<Scheduler, StateId::kScheduler>::get(); }

StreamQueue* Scheduler::find_queue(const vk::Timeline& timeline) const {
  const auto found = std::find_if(queues_.begin(), queues_.end(), [&](StreamQueue* queue) REQUIRES(scheduler_mutex) {
    return queue->batch().timeline().get() == &timeline;
  });
  return found == queues_.end() ? nullptr : *found;
}

// Allocates the queue's entries in all lists now, so that no later operation on tasks can fail for lack of memory here.
void Scheduler::add_queue(StreamQueue* queue) {
  if (retried_.capacity() <= queues_.size()) retried_.reserve(2 * queues_.size() + 8);
  const auto entry = unblocked_.insert(queue).first;
  try {
    queues_.insert(queue);
  } catch (...) {
    unblocked_.erase(entry);
    throw;
  }
}

// A fixed-point iteration: progress of one queue may unblock any other, and the loop ends when no queue advances.
// Iterates over a copy, because pump() changes blocked_; skips queues that another pump() has unblocked.
void Scheduler::settle() noexcept {
  if (!changed_) return;
  while (changed_) {
    changed_ = false;
    retried_.assign(blocked_.begin(), blocked_.end());
    for (StreamQueue* queue : retried_) {
      if (blocked_.count(queue)) queue->pump();
    }
  }
  condition_.notify_all();
}

void Scheduler::check_waits() {
  const std::vector<StreamQueue*> queues(blocked_.begin(), blocked_.end());
  for (StreamQueue* queue : queues) queue->check_wait();
}

bool Scheduler::wait(const std::function<bool()>& ready, const std::chrono::steady_clock::time_point* deadline) {
  if (deadline) return condition_.wait_until(scheduler_mutex, *deadline, ready);
  condition_.wait(scheduler_mutex, ready);
  return true;
}

// Waits in slices, because the watcher thread may find meanwhile that the point is stuck.
bool Scheduler::wait_for_device(const vk::TimelinePoint& point, const std::chrono::steady_clock::time_point* deadline) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::nanoseconds kSlice = std::chrono::seconds(1);
  bool reached = false;
  bool over = false;
  while (!reached && !over && !stuck(point)) {
    const UnlockedScope unlocked(scheduler_mutex);
    const auto left = deadline ? std::max(*deadline - Clock::now(), Clock::duration{0}) : Clock::duration{kSlice};
    reached = point.timeline->wait(point.value, std::min<std::chrono::nanoseconds>(left, kSlice));
    over = deadline && Clock::now() >= *deadline;
  }
  return reached;
}

bool Scheduler::stuck(const vk::TimelinePoint& point) const {
  StreamQueue* queue = find_queue(*point.timeline);
  return queue && queue->errors().stuck_before(point.value);
}

// A point that has not been submitted has no timeline yet; its epoch identifies the queue.
bool Scheduler::stuck(const Point& point) const {
  if (const vk::TimelinePoint* submitted = point.submitted()) return stuck(*submitted);
  return std::any_of(queues_.begin(), queues_.end(), [&](const StreamQueue* queue) REQUIRES(scheduler_mutex) {
    return point.pending_in(queue->pending().epoch()) && queue->stuck();
  });
}

}  // namespace aclvk::runtime
