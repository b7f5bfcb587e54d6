#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace aclvk::vk {

/// One VkSemaphore of type timeline: the only clock of a stream. Thread safe.
class Timeline {
 public:
  virtual ~Timeline() = default;

  /// The value that the device has reached. The greatest one there is once the device is lost: nothing will signal the
  /// timeline any more, so nobody is to wait for it, and what submissions held can go.
  virtual std::uint64_t completed() const = 0;
  /// Blocks until the value is reached; false when the time is up first. No value means for ever.
  virtual bool wait(std::uint64_t value, std::optional<std::chrono::nanoseconds> timeout = {}) const = 0;
  /// Sets the value from the host (vkSignalSemaphore).
  virtual void signal(std::uint64_t value) = 0;
};

/// A moment of a timeline.
struct TimelinePoint {
  std::shared_ptr<Timeline> timeline;
  std::uint64_t value = 0;

  bool reached() const { return !timeline || timeline->completed() >= value; }
};

}  // namespace aclvk::vk
