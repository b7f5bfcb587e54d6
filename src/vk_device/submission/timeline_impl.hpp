#pragma once

#include <memory>

#include "vk_device/gpu/gpu.hpp"
#include "vk_device/submission/timeline.hpp"

namespace aclvk::vk {

/// The implementation of Timeline.
class VulkanTimeline final : public Timeline {
 public:
  explicit VulkanTimeline(std::shared_ptr<const Gpu> gpu);

  std::uint64_t completed() const override;
  bool wait(std::uint64_t value, std::optional<std::chrono::nanoseconds> timeout) const override;
  void signal(std::uint64_t value) override;

  ::vk::Semaphore handle() const { return *semaphore_; }

 private:
  std::shared_ptr<const Gpu> gpu_;
  ::vk::raii::Semaphore semaphore_{nullptr};
};

/// Returns the semaphore of a point. Every Timeline is a VulkanTimeline.
inline ::vk::Semaphore semaphore_of(const TimelinePoint& point) {
  return static_cast<const VulkanTimeline&>(*point.timeline).handle();
}

/// Blocks until one of the points is reached. Returns false when the timeout expires first.
bool wait_for_any(const Gpu& gpu, const std::vector<TimelinePoint>& points, std::uint64_t nanoseconds);

}  // namespace aclvk::vk
