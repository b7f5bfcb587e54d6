#pragma once

#include <cstdint>
#include <vector>

#include "aclvk/aclvk.h"
#include "raw/vulkan.hpp"

namespace raw {

/// A second VkDevice on the physical device that the library uses, with one queue and one timeline semaphore.
class Device {
 public:
  explicit Device(const aclvkDeviceInfo& wanted);

  const vk::raii::Device& get() const { return device_; }
  const Functions& functions() const { return *device_.getDispatcher(); }
  const vk::raii::PhysicalDevice& physical() const { return physical_; }
  std::uint32_t family() const { return family_; }
  bool has_int64() const { return int64_; }
  /// Returns true when subgroups have at least 8 threads and support shuffles.
  bool shuffles_eight_lanes() const { return shuffles_eight_lanes_; }
  bool is_cpu() const { return cpu_; }
  bool is_lavapipe() const { return lavapipe_; }

  /// Submits with one vkQueueSubmit2, which signals the next value of the timeline.
  void submit(vk::CommandBuffer commands);
  /// Waits until all submissions have completed.
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

/// A storage buffer in device-local memory.
class Buffer {
 public:
  /// Fills the buffer with `word`: unwritten pages may all be one shared zero page of the system.
  Buffer(Device& device, std::uint64_t bytes, float word);

  vk::Buffer handle() const { return *buffer_; }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t address() const { return address_; }

 private:
  void fill(Device& device, float word) const;

  std::uint64_t bytes_;
  vk::raii::DeviceMemory memory_{nullptr};
  vk::raii::Buffer buffer_{nullptr};  // declared after its memory, so that it is destroyed first
  std::uint64_t address_ = 0;
};

/// A compute pipeline with `buffers` storage buffers in set 0 and 128 bytes of push constants.
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
