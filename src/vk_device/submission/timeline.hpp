#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace aclvk::vk {

/// A timeline semaphore (VkSemaphore). Each stream has one. Thread safe.
class Timeline {
 public:
  virtual ~Timeline() = default;

  /// Returns the value that the device has reached; UINT64_MAX once the device is lost, since no further signal will
  /// come: waits return, and resources of submissions are released.
  virtual std::uint64_t completed() const = 0;
  /// Blocks until the value is reached. Returns false when the timeout expires first; without a timeout it waits
  /// indefinitely.
  virtual bool wait(std::uint64_t value, std::optional<std::chrono::nanoseconds> timeout = {}) const = 0;
  /// Signals the value from the host (vkSignalSemaphore).
  virtual void signal(std::uint64_t value) = 0;
};

/// A value of a timeline. Without a timeline it counts as reached.
struct TimelinePoint {
  std::shared_ptr<Timeline> timeline;
  std::uint64_t value = 0;

  bool reached() const { return !timeline || timeline->completed() >= value; }
};

}  // namespace aclvk::vk
