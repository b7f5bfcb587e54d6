#pragma once

#include <memory>
#include <vector>

#include "base/mutex.hpp"
#include "vk_device/commands/argument_arena.hpp"
#include "vk_device/commands/command_recorder.hpp"
#include "vk_device/commands/recorder_scratch.hpp"
#include "vk_device/pipelines/descriptor_arena.hpp"
#include "vk_device/pipelines/descriptor_cache.hpp"

namespace aclvk::vk {

/// The Vulkan objects of one command buffer. Each has a VkCommandPool of its own, which is reset as a whole: drivers do
/// that faster than they reset command buffers, and recording needs no lock.
struct CommandResources {
  CommandResources(const std::shared_ptr<const Gpu>& gpu, const std::shared_ptr<BufferPool>& host_pool, Level level);

  void reset();

  Level level;
  ::vk::raii::CommandPool pool;
  ::vk::raii::CommandBuffer buffer;
  DescriptorArena descriptors;
  ArgumentArena arguments;
};

/// Owns what command buffers share: pipelines, descriptor sets, and idle CommandResources for reuse. Command buffers
/// keep it alive, also beyond the device object. Thread safe.
class CommandStore {
 public:
  CommandStore(std::shared_ptr<const Gpu> gpu, std::shared_ptr<BufferPool> host_pool);

  /// Returns idle resources, or creates some.
  std::unique_ptr<CommandResources> take(Level level);
  /// Takes back resources of a command buffer that is neither pending nor referenced by a primary.
  void give_back(std::unique_ptr<CommandResources> resources) noexcept;

  /// Returns an idle scratch, or creates one. Its vectors keep their capacity.
  std::unique_ptr<RecorderScratch> take_scratch();
  void give_back(std::unique_ptr<RecorderScratch> scratch) noexcept;

  const Gpu& gpu() const { return *gpu_; }
  PipelineStore& pipelines() { return pipelines_; }
  DescriptorCache& descriptor_sets() { return descriptor_sets_; }

  /// Returns a range of 4 bytes that all have this value.
  BufferRange pattern(std::uint8_t value) const { return pattern_.slice(std::uint64_t{value} * 4, 4); }

 private:
  std::vector<std::unique_ptr<CommandResources>>& idle(Level level) REQUIRES(mutex_) {
    return idle_[level == Level::kPrimary ? 0 : 1];
  }

  std::shared_ptr<const Gpu> gpu_;
  std::shared_ptr<BufferPool> host_pool_;
  PipelineStore pipelines_;
  DescriptorCache descriptor_sets_;
  BufferRange pattern_;
  Mutex mutex_;
  std::vector<std::unique_ptr<CommandResources>> idle_[2] GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<RecorderScratch>> idle_scratch_ GUARDED_BY(mutex_);
};

}  // namespace aclvk::vk
