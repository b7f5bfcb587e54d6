#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "vk_device/buffer.hpp"
#include "vk_device/gpu.hpp"
#include "vk_device/memory.hpp"
#include "vk_device/memory_object.hpp"

namespace aclvk::vk {

/// The size of a sparse buffer.
struct SparseBytes {
  std::uint64_t count = 0;
};

/// A VkBuffer, usable for everything we do with buffers, with a device address. It has memory of its own, mapped for as
/// long as it lives when the host can see it; a sparse buffer has what is put behind its pieces (SparseQueue).
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
  /// A sparse buffer with nothing behind it; `room` is what it holds as long as it lives.
  Buffer(std::shared_ptr<const Gpu> gpu, SparseBytes bytes, std::shared_ptr<const void> retained);

  ::vk::Buffer handle() const { return *buffer_; }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t address() const { return address_; }
  std::byte* mapped() const { return mapped_; }
  /// Memory of the host, its own or imported.
  bool on_host() const { return on_host_; }
  /// Pages of the program, which may have unmapped or protected them.
  bool registered() const { return registered_; }

  /// The file of its memory, and what another process has to know about it. Throws as Memory::export_range().
  File export_memory(SharedRange& out) const;
  /// Of its memory: the types, and what the pieces of a sparse buffer are multiples of.
  ::vk::MemoryRequirements requirements() const;

 private:
  using Handle = ::vk::ExternalMemoryHandleTypeFlagBits;

  void create(::vk::BufferCreateFlags flags, ::vk::ExternalMemoryHandleTypeFlags external);
  void bind(MemoryObject memory);
  void import(void* pages);
  void map_if_wanted(MemoryUse use);

  std::shared_ptr<const Gpu> gpu_;         // declared first: the VkDevice outlives the two below
  std::shared_ptr<const void> addresses_;  // what its address is taken from
  MemoryObject memory_;
  ::vk::raii::Buffer buffer_{nullptr};
  std::uint64_t bytes_ = 0;
  std::uint64_t address_ = 0;
  std::byte* mapped_ = nullptr;
  bool on_host_;
  bool registered_ = false;
};

}  // namespace aclvk::vk
