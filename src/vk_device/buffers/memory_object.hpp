#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/file.hpp"
#include "vk_device/buffers/buffer_source.hpp"
#include "vk_device/gpu/gpu.hpp"

namespace aclvk::vk {

constexpr ::vk::MemoryPropertyFlags kMappable =
    ::vk::MemoryPropertyFlagBits::eHostVisible | ::vk::MemoryPropertyFlagBits::eHostCoherent;
constexpr auto kHostHandle = ::vk::ExternalMemoryHandleTypeFlagBits::eHostAllocationEXT;
constexpr auto kFileHandle = ::vk::ExternalMemoryHandleTypeFlagBits::eOpaqueFd;

/// Returns the memory type for a use among `bits`, or nothing.
std::optional<std::uint32_t> memory_type_for(const Gpu& gpu, MemoryUse use, std::uint32_t bits);
/// Returns the size of the heap of device allocations, which is the budget.
std::uint64_t device_heap_bytes(const Gpu& gpu);
/// Throws kMemoryAllocation when `bytes` exceeds maxMemoryAllocationSize.
void check_allocation_limit(const Gpu& gpu, std::uint64_t bytes);

/// A permit to allocate exportable memory, held by the memory. CPU drivers keep a file descriptor open for each
/// exportable VkDeviceMemory, so permits are limited to a quarter of RLIMIT_NOFILE; the program needs the rest.
using ExportPermit = std::shared_ptr<const void>;
/// Returns null when the driver cannot export, ACLVK_SHARED_MEMORY is 0, or all permits are in use.
ExportPermit acquire_export_permit(const Gpu& gpu);

/// A VkDeviceMemory for buffers with device addresses. The constructors throw kMemoryAllocation when the device has no
/// more.
class MemoryObject {
 public:
  MemoryObject() = default;
  /// Allocates memory; exportable if there is a permit.
  MemoryObject(const Gpu& gpu, std::uint32_t type, std::uint64_t bytes, ExportPermit permit);
  /// Imports memory that another process exported.
  MemoryObject(const Gpu& gpu, std::uint32_t type, std::uint64_t bytes, File file);
  /// Imports whole pages of host memory (VK_EXT_external_memory_host).
  MemoryObject(const Gpu& gpu, std::uint32_t type, std::uint64_t bytes, void* pages);

  ::vk::DeviceMemory handle() const { return *memory_; }
  std::uint32_t type() const { return type_; }
  std::uint64_t bytes() const { return bytes_; }
  /// Maps the whole memory.
  std::byte* map() const;
  /// Exports a file descriptor. Throws like Memory::export_range().
  File export_file(const Gpu& gpu) const;

 private:
  void allocate(const Gpu& gpu, const void* extension);

  ExportPermit permit_;
  ::vk::raii::DeviceMemory memory_{nullptr};
  std::uint32_t type_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace aclvk::vk
