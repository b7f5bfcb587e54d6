#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "vk_device/command_recorder.hpp"
#include "vk_device/timeline.hpp"

namespace aclvk::vk {

/// What one vkQueueSubmit2 does: wait for all points, run the command buffers in order, signal the point.
struct Submission {
  std::vector<std::shared_ptr<CommandBuffer>> commands;
  std::vector<TimelinePoint> waits;
  TimelinePoint signal;
};

/// A VkQueue with its mutex. Every wait of a submission must have been signalled or submitted before: streams share the
/// queue, and one that waits for a signal still to come blocks it for all (docs/adr/0003).
class Queue {
 public:
  virtual ~Queue() = default;

  /// One vkQueueSubmit2. Keeps the command buffers alive until the signal point is reached.
  virtual void submit(Submission submission) = 0;
  /// How many vkQueueSubmit2 calls this queue has seen.
  virtual std::uint64_t submissions() const = 0;
};

}  // namespace aclvk::vk
