#pragma once

#include <memory>

#include "base/mutex.hpp"
#include "vk_device/commands/command_store.hpp"
#include "vk_device/submission/queue_impl.hpp"
#include "vk_device/submission/timeline_impl.hpp"

namespace aclvk::vk {

/// Blocking copies between the host and memory that is not host-visible, through a staging buffer and a timeline of its
/// own. Thread safe; copies of several threads run one at a time.
class Staging {
 public:
  Staging(std::shared_ptr<const Gpu> gpu, std::shared_ptr<BufferPool> host_pool, std::shared_ptr<CommandStore> store,
          Queue& queue);

  void write(const BufferRange& dst, const std::byte* src);
  void read(std::byte* dst, const BufferRange& src);

 private:
  const BufferRange& buffer() REQUIRES(mutex_);
  void copy_now(const BufferRange& dst, const BufferRange& src) REQUIRES(mutex_);

  std::shared_ptr<const Gpu> gpu_;
  std::shared_ptr<BufferPool> host_pool_;
  std::shared_ptr<CommandStore> store_;
  Queue& queue_;
  Mutex mutex_;
  BufferRange buffer_ GUARDED_BY(mutex_);  // allocated by the first copy
  std::shared_ptr<VulkanTimeline> timeline_ GUARDED_BY(mutex_);
  std::uint64_t value_ GUARDED_BY(mutex_) = 0;
};

}  // namespace aclvk::vk
