#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "vk_device/submission/timeline.hpp"

namespace aclvk::runtime {

/// The submissions of a stream that the device has not completed. Streams share VkQueues, which execute in order, so a
/// task of another stream waits for the whole backlog; the StreamQueue limits it (docs/adr/0014). Requires the
/// scheduler lock.
class Backlog {
 public:
  explicit Backlog(std::size_t max_tasks) : max_tasks_(max_tasks) {}

  /// Adds a submission that signals `value` on the stream's timeline.
  void add(std::uint64_t value, std::size_t tasks);
  /// Removes the last submission, which the driver has refused.
  void remove_last();
  /// Removes completed submissions. Returns true when the rest has reached the limit.
  bool full(const vk::Timeline& timeline);
  /// Returns the timeline value at which at most half of the tasks are left.
  std::uint64_t half_done_value() const;

 private:
  struct Submission {
    std::uint64_t value;
    std::size_t tasks;
  };

  /// Returns true at `max_tasks` tasks in at least four submissions.
  bool over_limit() const;

  const std::size_t max_tasks_;
  std::size_t tasks_ = 0;
  std::deque<Submission> submissions_;  // oldest first; may contain completed ones
};

}  // namespace aclvk::runtime
