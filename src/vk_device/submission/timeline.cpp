#include "vk_device/submission/timeline.hpp"

#include <algorithm>
#include <limits>

#include "vk_device/gpu/vk_error.hpp"
#include "vk_device/submission/timeline_impl.hpp"

namespace aclvk::vk {
namespace {

// The semaphores of a lost device count as signalled.
bool wait_semaphores(const Gpu& gpu, const ::vk::SemaphoreWaitInfo& info, std::uint64_t nanoseconds) {
  const auto result = (*gpu.device()).waitSemaphores(&info, nanoseconds, gpu.functions());
  gpu.mark_lost_if(result);
  if (!gpu.lost()) expect(result, "waiting for a timeline");
  return result != ::vk::Result::eTimeout;
}

}  // namespace

VulkanTimeline::VulkanTimeline(std::shared_ptr<const Gpu> gpu) : gpu_(std::move(gpu)) {
  const ::vk::SemaphoreTypeCreateInfo type(::vk::SemaphoreType::eTimeline, 0);
  const auto info = chained(::vk::SemaphoreCreateInfo(), &type);
  gpu_->count_created();
  semaphore_ = guarded([&] { return ::vk::raii::Semaphore(gpu_->device(), info); }, "creating a timeline");
}

std::uint64_t VulkanTimeline::completed() const {
  std::uint64_t value = 0;
  const auto result = (*gpu_->device()).getSemaphoreCounterValue(*semaphore_, &value, gpu_->functions());
  gpu_->mark_lost_if(result);
  if (gpu_->lost()) return std::numeric_limits<std::uint64_t>::max();
  expect(result, "reading a timeline");
  return value;
}

bool VulkanTimeline::wait(std::uint64_t value, std::optional<std::chrono::nanoseconds> timeout) const {
  // Also true for a lost device.
  if (completed() >= value) return true;
  const ::vk::Semaphore semaphore = *semaphore_;
  const ::vk::SemaphoreWaitInfo info({}, semaphore, value);
  const auto limit = timeout ? static_cast<std::uint64_t>(std::max<std::int64_t>(timeout->count(), 0)) : UINT64_MAX;
  return wait_semaphores(*gpu_, info, limit);
}

void VulkanTimeline::signal(std::uint64_t value) {
  const ::vk::SemaphoreSignalInfo info(*semaphore_, value);
  expect((*gpu_->device()).signalSemaphore(&info, gpu_->functions()), "signalling a timeline");
}

bool wait_for_any(const Gpu& gpu, const std::vector<TimelinePoint>& points, std::uint64_t nanoseconds) {
  std::vector<::vk::Semaphore> semaphores;
  std::vector<std::uint64_t> values;
  for (const TimelinePoint& point : points) {
    if (point.reached()) return true;
    semaphores.push_back(semaphore_of(point));
    values.push_back(point.value);
  }
  if (semaphores.empty()) return true;
  const ::vk::SemaphoreWaitInfo info(::vk::SemaphoreWaitFlagBits::eAny, semaphores, values);
  return wait_semaphores(gpu, info, nanoseconds);
}

}  // namespace aclvk::vk
