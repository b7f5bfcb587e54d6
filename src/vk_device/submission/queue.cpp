#include "vk_device/submission/queue.hpp"

#include "base/error.hpp"
#include "vk_device/commands/recorded_commands.hpp"
#include "vk_device/gpu/vk_error.hpp"
#include "vk_device/submission/queue_impl.hpp"
#include "vk_device/submission/timeline_impl.hpp"

namespace aclvk::vk {
namespace {

::vk::SemaphoreSubmitInfo semaphore_info(const TimelinePoint& point) {
  return {semaphore_of(point), point.value, kWorkStages};
}

::vk::CommandBufferSubmitInfo command_info(const std::shared_ptr<CommandBuffer>& commands) {
  const auto& recorded = static_cast<const RecordedCommands&>(*commands);
  check(recorded.level() == Level::kPrimary, Code::kRuntimeInternal,
        "A secondary command buffer is submitted; a primary one is expected.");
  return ::vk::CommandBufferSubmitInfo(recorded.handle());
}

}  // namespace

VulkanQueue::VulkanQueue(std::shared_ptr<const Gpu> gpu, std::shared_ptr<InFlight> in_flight, std::uint32_t family,
                         std::size_t index)
    : gpu_(std::move(gpu)), in_flight_(std::move(in_flight)), index_(index) {
  queue_ = gpu_->device().getQueue(family, static_cast<std::uint32_t>(index));
}

void VulkanQueue::submit(Submission submission) {
  check(submission.signal.timeline != nullptr, Code::kRuntimeInternal,
        "A submission has no timeline to signal; each signals one.");
  // Without the lock: it destroys command buffers.
  in_flight_->sweep();
  InFlight::Entry entry(
      std::move(submission));  // allocated before the driver accepts the submission, so that add() cannot fail
  const LockGuard lock(mutex_);
  submit_locked(entry.submission());
  ++submissions_;
  // With the queue's lock, so that the numbers of a queue's submissions follow their order.
  in_flight_->add(index_, std::move(entry));
}

void VulkanQueue::bind(const ::vk::BindSparseInfo& info) {
  const LockGuard lock(mutex_);
  gpu_->expect((*queue_).bindSparse(1, &info, nullptr, gpu_->functions()), "binding memory to a sparse buffer");
}

void VulkanQueue::submit_locked(const Submission& submission) {
  std::vector<::vk::SemaphoreSubmitInfo> waits;
  for (const TimelinePoint& point : submission.waits) {
    // A point without a timeline counts as reached.
    if (point.timeline) waits.push_back(semaphore_info(point));
  }
  std::vector<::vk::CommandBufferSubmitInfo> commands;
  for (const auto& buffer : submission.commands) commands.push_back(command_info(buffer));
  const ::vk::SemaphoreSubmitInfo signal = semaphore_info(submission.signal);
  const ::vk::SubmitInfo2 info({}, waits, commands, signal);
  gpu_->expect((*queue_).submit2(1, &info, nullptr, gpu_->functions()), "submitting command buffers");
}

}  // namespace aclvk::vk
