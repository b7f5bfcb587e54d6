#pragma once

#include <atomic>

#include "vk_device/buffers/memory_object.hpp"
#include "vk_device/memory/backing.hpp"

namespace aclvk::vk {

/// Device memory (a VkDeviceMemory) that is bound to sparse buffers.
class DevicePages final : public Backing {
 public:
  DevicePages(std::shared_ptr<const Gpu> gpu, MemoryObject memory) : gpu_(std::move(gpu)), memory_(std::move(memory)) {}

  std::uint64_t bytes() const override { return memory_.bytes(); }
  File export_file(SharedBacking& out) const override;

  const Gpu& gpu() const { return *gpu_; }
  ::vk::DeviceMemory handle() const { return memory_.handle(); }
  /// Returns the number of its current mappings.
  std::atomic<int>& mappings() const { return mappings_; }

 private:
  std::shared_ptr<const Gpu> gpu_;  // declared first: the VkDevice must outlive the memory
  MemoryObject memory_;
  mutable std::atomic<int> mappings_{0};
};

}  // namespace aclvk::vk
