#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "vk_device/commands/command_recorder.hpp"
#include "vk_device/submission/timeline.hpp"

namespace aclvk::vk {

/// One vkQueueSubmit2: waits for all points, runs the command buffers in order, and signals the point.
struct Submission {
  std::vector<std::shared_ptr<CommandBuffer>> commands;
  std::vector<TimelinePoint> waits;
  TimelinePoint signal;
};

/// The oldest submission of a queue that has not completed: the one that runs, or the next one to run.
struct PendingSubmission {
  TimelinePoint end;
  std::size_t commands = 0;
  bool blocked = false;  ///< true while it waits for a semaphore, so that it has not started
};

/// A VkQueue with its mutex. Every wait of a submission must already be signalled or submitted: streams share the
/// queue, and a wait for a later signal would block all of them (docs/adr/0003).
class Queue {
 public:
  virtual ~Queue() = default;

  /// Submits with one vkQueueSubmit2. Keeps the command buffers alive until the signal point is reached. Throws
  /// kDriverError.
  virtual void submit(Submission submission) = 0;
  /// Returns how many submissions this queue has accepted.
  virtual std::uint64_t submissions() const = 0;
};

}  // namespace aclvk::vk
