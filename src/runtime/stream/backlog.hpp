#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "runtime/task/scheduler_mutex.hpp"
#include "vk_device/submission/timeline.hpp"

namespace aclvk::runtime {

/// The submissions of a stream that the device has not completed. Streams share VkQueues, which execute in order, so a
/// task of another stream waits for the whole backlog; the StreamQueue limits it (docs/adr/0014).
class Backlog {
 public:
  explicit Backlog(std::size_t max_tasks) : max_tasks_(max_tasks) {}

  /// Adds a submission that signals `value` on the stream's timeline.
  void add(std::uint64_t value, std::size_t tasks) REQUIRES(scheduler_mutex);
  /// Removes the last submission, which the driver has refused.
  void remove_last() REQUIRES(scheduler_mutex);
  /// Removes completed submissions. Returns true when the rest has reached the limit.
  bool full(const vk::Timeline& timeline) REQUIRES(scheduler_mutex);
  /// Returns the timeline value at which at most half of the tasks are left.
  std::uint64_t half_done_value() const REQUIRES(scheduler_mutex);

 private:
  struct Submission {
    std::uint64_t value;
    std::size_t tasks;
  };

  /// Returns true at `max_tasks` tasks in at least four submissions.
  bool over_limit() const REQUIRES(scheduler_mutex);

  const std::size_t max_tasks_;
  std::size_t tasks_ GUARDED_BY(scheduler_mutex) = 0;
  std::deque<Submission> submissions_ GUARDED_BY(scheduler_mutex);  // oldest first; may contain completed ones
};

}  // namespace aclvk::runtime
