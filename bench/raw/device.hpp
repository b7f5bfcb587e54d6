#pragma once

#include <cstdint>
#include <vector>

#include "aclvk/aclvk.h"
#include "raw/vulkan.hpp"

namespace raw {

/// A VkDevice of its own on the same physical device as the library's, with one queue and one timeline.
class Device {
 public:
  explicit Device(const aclvkDeviceInfo& wanted);

  const vk::raii::Device& get() const { return device_; }
  const Functions& functions() const { return *device_.getDispatcher(); }
  const vk::raii::PhysicalDevice& physical() const { return physical_; }
  std::uint32_t family() const { return family_; }
  bool has_int64() const { return int64_; }
  /// Subgroups of eight threads or more whose values kernels can shuffle.
  bool shuffles_eight_lanes() const { return shuffles_eight_lanes_; }
  bool is_cpu() const { return cpu_; }
  bool is_lavapipe() const { return lavapipe_; }

  /// One vkQueueSubmit2 that signals the next value of the timeline.
  void submit(vk::CommandBuffer commands);
  /// Until everything submitted has completed.
  void wait();
  std::uint64_t submissions() const { return submitted_; }

 private:
  vk::raii::Context context_;
  vk::raii::Instance instance_{nullptr};
  vk::raii::PhysicalDevice physical_{nullptr};
  std::uint32_t family_ = 0;
  bool int64_ = false;
  bool shuffles_eight_lanes_ = false;
  bool cpu_ = false;
  bool lavapipe_ = false;
  vk::raii::Device device_{nullptr};
  vk::raii::Queue queue_{nullptr};
  vk::raii::Semaphore timeline_{nullptr};
  std::uint64_t submitted_ = 0;
};

/// A storage buffer in the memory that a kernel reaches best.
class Buffer {
 public:
  /// Filled with `word`: memory that nobody has written may be one shared page.
  Buffer(Device& device, std::uint64_t bytes, float word);

  vk::Buffer handle() const { return *buffer_; }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t address() const { return address_; }

 private:
  void fill(Device& device, float word) const;

  std::uint64_t bytes_;
  vk::raii::DeviceMemory memory_{nullptr};
  vk::raii::Buffer buffer_{nullptr};  // behind its memory, so that it goes first
  std::uint64_t address_ = 0;
};

/// A compute pipeline over `buffers` storage buffers in set 0 and 128 bytes of push constants.
class Pipeline {
 public:
  Pipeline(const Device& device, const std::uint32_t* words, std::size_t count,
           const std::vector<std::uint32_t>& constants, std::uint32_t buffers);

  vk::Pipeline handle() const { return *pipeline_; }
  vk::PipelineLayout layout() const { return *layout_; }
  vk::DescriptorSetLayout set_layout() const { return *set_; }

 private:
  vk::raii::DescriptorSetLayout set_{nullptr};
  vk::raii::PipelineLayout layout_{nullptr};
  vk::raii::Pipeline pipeline_{nullptr};
};

}  // namespace raw
