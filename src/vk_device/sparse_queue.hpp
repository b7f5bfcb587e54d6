#pragma once

#include <memory>
#include <mutex>

#include "vk_device/buffer_impl.hpp"
#include "vk_device/queue_impl.hpp"
#include "vk_device/timeline_impl.hpp"

namespace aclvk::vk {

/// Puts memory behind pieces of sparse buffers, and takes it away. Thread safe.
class SparseQueue {
 public:
  SparseQueue(const std::shared_ptr<const Gpu>& gpu, std::shared_ptr<VulkanQueue> queue);

  /// `memory` behind the piece from its start on; no memory takes away what is there. Returns when it is done, so that
  /// all that any queue is given later finds it so.
  void bind(const Buffer& buffer, std::uint64_t offset, std::uint64_t bytes, ::vk::DeviceMemory memory);

 private:
  std::shared_ptr<VulkanQueue> queue_;
  VulkanTimeline timeline_;
  std::mutex mutex_;
  std::uint64_t value_ = 0;
};

}  // namespace aclvk::vk
