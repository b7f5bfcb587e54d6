#pragma once

#include <cstdint>
#include <memory>

#include "vk_device/buffers/buffer.hpp"
#include "vk_device/buffers/memory_object.hpp"
#include "vk_device/gpu/gpu.hpp"

namespace aclvk::vk {

/// The size of a sparse buffer; a type of its own selects the constructor.
struct SparseBytes {
  std::uint64_t count = 0;
};

/// The implementation of Buffer: a VkBuffer with a device address, created with every usage that the library needs. It
/// owns its memory and keeps it mapped where that is host-visible. A sparse buffer owns no memory: SparseQueue binds
/// memory to its pages.
class VulkanBuffer final : public Buffer {
 public:
  /// Allocates memory and creates a buffer on it. Throws kMemoryAllocation, also when `bytes` exceeds a limit of the
  /// device.
  VulkanBuffer(std::shared_ptr<const Gpu> gpu, MemoryUse use, std::uint64_t bytes);
  /// Imports whole pages of the program's memory (VK_EXT_external_memory_host), for aclrtHostRegister.
  VulkanBuffer(std::shared_ptr<const Gpu> gpu, void* pages, std::uint64_t bytes);
  /// Imports reserved address space, in which device memory is mapped; `addresses` keeps the reservation alive. Throws
  /// kFeatureNotSupported when the device address differs from the host address.
  VulkanBuffer(std::shared_ptr<const Gpu> gpu, void* pages, std::uint64_t bytes, std::shared_ptr<const void> addresses);
  /// Imports memory that another process exported.
  VulkanBuffer(std::shared_ptr<const Gpu> gpu, File file, const SharedRange& shared);
  /// Creates a sparse buffer without memory; the buffer keeps `retained` alive.
  VulkanBuffer(std::shared_ptr<const Gpu> gpu, SparseBytes bytes, std::shared_ptr<const void> retained);

  ::vk::Buffer handle() const { return *buffer_; }
  File export_memory(SharedRange& out) const override;
  /// Returns the memory types and, for a sparse buffer, the alignment of bindings.
  ::vk::MemoryRequirements requirements() const;

 private:
  using Handle = ::vk::ExternalMemoryHandleTypeFlagBits;

  void create(::vk::BufferCreateFlags flags, ::vk::ExternalMemoryHandleTypeFlags external);
  void bind(MemoryObject memory);
  void import(void* pages);
  void map_if_wanted(MemoryUse use);

  std::shared_ptr<const Gpu> gpu_;         // declared first: the VkDevice must outlive memory_ and buffer_
  std::shared_ptr<const void> addresses_;  // keeps the address range alive
  MemoryObject memory_;
  ::vk::raii::Buffer buffer_{nullptr};
};

/// Returns the VkBuffer of a range. Every Buffer of a Vulkan device is a VulkanBuffer.
inline ::vk::Buffer handle_of(const BufferRange& range) {
  return static_cast<const VulkanBuffer&>(*range.buffer).handle();
}

}  // namespace aclvk::vk
