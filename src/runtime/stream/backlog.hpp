#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "vk_device/timeline.hpp"

namespace aclvk::runtime {

/// What a stream has submitted and the device has not completed. Streams share queues, which work in order: a task of
/// another stream comes after all of it, so it has a bound (docs/adr/0014).
class Backlog {
 public:
  explicit Backlog(std::size_t max_tasks) : max_tasks_(max_tasks) {}

  /// A submission of so many tasks, which signals this value of the stream's timeline.
  void add(std::uint64_t value, std::size_t tasks);
  /// The submission that was added last has been refused.
  void remove_last();
  /// The next submission should wait.
  bool full(const vk::Timeline& timeline);
  /// The value with which no more than half of it is left.
  std::uint64_t half_done_value() const;

 private:
  struct Submission {
    std::uint64_t value;
    std::size_t tasks;
  };

  bool over_limit() const;

  const std::size_t max_tasks_;
  std::size_t tasks_ = 0;
  std::deque<Submission> submissions_;  // oldest first; completed ones go when they would matter
};

}  // namespace aclvk::runtime
