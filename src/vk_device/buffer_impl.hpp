#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "vk_device/buffer.hpp"
#include "vk_device/gpu.hpp"
#include "vk_device/memory.hpp"

namespace aclvk::vk {

/// What a buffer's memory is for; decides its memory type.
enum class MemoryUse {
  kDevice,  ///< kernels work on it; host-visible too where the device has that without loss
  kHost,    ///< the host reads and writes it, the GPU reaches it over the bus
};

/// A VkBuffer with memory of its own, usable for everything we do with buffers, with a device address, and mapped for
/// as long as it lives when the host can see it.
class Buffer {
 public:
  /// A new buffer. Throws kMemoryAllocation, also when the sizes exceed the device's limits.
  Buffer(std::shared_ptr<const Gpu> gpu, MemoryUse use, std::uint64_t bytes);
  /// A buffer over whole pages of host memory (VK_EXT_external_memory_host).
  Buffer(std::shared_ptr<const Gpu> gpu, void* pages, std::uint64_t bytes);
  /// The same over address space in which device memory is mapped; `addresses` keeps it. Throws kFeatureNotSupported
  /// where its device address is another one.
  Buffer(std::shared_ptr<const Gpu> gpu, void* pages, std::uint64_t bytes, std::shared_ptr<const void> addresses);
  /// A buffer over the memory of another process's buffer.
  Buffer(std::shared_ptr<const Gpu> gpu, File file, const SharedRange& shared);

  ::vk::Buffer handle() const { return *buffer_; }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t address() const { return address_; }
  std::byte* mapped() const { return mapped_; }
  /// Memory of the host, its own or imported.
  bool on_host() const { return on_host_; }

  /// The file of its memory, and what another process has to know about it. Throws as Memory::export_range().
  File export_memory(SharedRange& out) const;

 private:
  using Handle = ::vk::ExternalMemoryHandleTypeFlagBits;

  void create(::vk::ExternalMemoryHandleTypeFlags external);
  void bind(std::uint32_t type, std::uint64_t bytes, const void* extension);
  void import(void* pages);
  void map_if_wanted(MemoryUse use);

  std::shared_ptr<const Gpu> gpu_;           // declared first: the VkDevice outlives the two below
  std::shared_ptr<const void> addresses_;    // what lies behind imported pages
  std::shared_ptr<const void> file_permit_;  // while the driver keeps a file for it; null: it cannot be exported
  ::vk::raii::DeviceMemory memory_{nullptr};
  ::vk::raii::Buffer buffer_{nullptr};
  std::uint64_t bytes_ = 0;
  std::uint64_t memory_bytes_ = 0;
  std::uint32_t memory_type_ = 0;
  std::uint64_t address_ = 0;
  std::byte* mapped_ = nullptr;
  bool on_host_;
};

/// The memory type that device allocations get, and the size of its heap: the budget.
std::uint64_t device_heap_bytes(const Gpu& gpu);

}  // namespace aclvk::vk
