#include "vk_device/memory/sparse_queue.hpp"

namespace aclvk::vk {

SparseQueue::SparseQueue(const std::shared_ptr<const Gpu>& gpu, std::shared_ptr<VulkanQueue> queue)
    : queue_(std::move(queue)), timeline_(gpu) {}

void SparseQueue::bind(const VulkanBuffer& buffer, std::uint64_t offset, std::uint64_t bytes,
                       ::vk::DeviceMemory memory) {
  const ::vk::SparseMemoryBind bind(offset, bytes, memory);
  const ::vk::SparseBufferMemoryBindInfo binds(buffer.handle(), bind);
  const ::vk::Semaphore signal = timeline_.handle();
  std::uint64_t value = 0;
  {
    const LockGuard lock(mutex_);  // the values of a timeline must be submitted in increasing order
    value = value_ + 1;
    const ::vk::TimelineSemaphoreSubmitInfo values({}, value);
    const auto info = chained(::vk::BindSparseInfo({}, binds, {}, {}, signal), &values);
    queue_->bind(info);
    value_ = value;
  }
  timeline_.wait(value, {});
}

}  // namespace aclvk::vk
