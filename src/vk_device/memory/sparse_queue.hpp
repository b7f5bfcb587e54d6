#pragma once

#include <memory>

#include "base/mutex.hpp"
#include "vk_device/buffers/buffer_impl.hpp"
#include "vk_device/submission/queue_impl.hpp"
#include "vk_device/submission/timeline_impl.hpp"

namespace aclvk::vk {

/// Binds memory to, and unbinds it from, pages of sparse buffers. Thread safe.
class SparseQueue {
 public:
  SparseQueue(const std::shared_ptr<const Gpu>& gpu, std::shared_ptr<VulkanQueue> queue);

  /// Binds `memory` to [offset, offset + bytes); a null `memory` unbinds. Waits until the binding is done, so that
  /// later submissions of any queue see it without a semaphore.
  void bind(const VulkanBuffer& buffer, std::uint64_t offset, std::uint64_t bytes, ::vk::DeviceMemory memory);

 private:
  std::shared_ptr<VulkanQueue> queue_;
  VulkanTimeline timeline_;
  Mutex mutex_;
  std::uint64_t value_ GUARDED_BY(mutex_) = 0;
};

}  // namespace aclvk::vk
