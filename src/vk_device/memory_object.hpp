#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/file.hpp"
#include "vk_device/gpu.hpp"

namespace aclvk::vk {

/// What memory is for; decides its type.
enum class MemoryUse {
  kDevice,  ///< kernels work on it; host-visible too where the device has that without loss
  kHost,    ///< the host reads and writes it, the GPU reaches it over the bus
};

constexpr ::vk::MemoryPropertyFlags kMappable =
    ::vk::MemoryPropertyFlagBits::eHostVisible | ::vk::MemoryPropertyFlagBits::eHostCoherent;
constexpr auto kHostHandle = ::vk::ExternalMemoryHandleTypeFlagBits::eHostAllocationEXT;
constexpr auto kFileHandle = ::vk::ExternalMemoryHandleTypeFlagBits::eOpaqueFd;

/// The memory type for a use among `bits`.
std::optional<std::uint32_t> memory_type_for(const Gpu& gpu, MemoryUse use, std::uint32_t bits);
/// The size of the heap that device allocations come from: the budget.
std::uint64_t device_heap_bytes(const Gpu& gpu);
/// Throws kMemoryAllocation for more than a VkDeviceMemory may have.
void check_allocation_limit(const Gpu& gpu, std::uint64_t bytes);

/// Leave to keep memory exportable, held for as long as that lives. CPU drivers keep a file open for each such memory,
/// and programs need files for themselves, so a quarter of what the process may have is the limit.
using ExportPermit = std::shared_ptr<const void>;
/// Null when the driver cannot export, ACLVK_SHARED_MEMORY is 0, or too many files are open.
ExportPermit acquire_export_permit(const Gpu& gpu);

/// A VkDeviceMemory for buffers with device addresses. Throws kMemoryAllocation when the device has no more.
class MemoryObject {
 public:
  MemoryObject() = default;
  /// New memory; exportable with a permit.
  MemoryObject(const Gpu& gpu, std::uint32_t type, std::uint64_t bytes, ExportPermit permit);
  /// Memory of another process.
  MemoryObject(const Gpu& gpu, std::uint32_t type, std::uint64_t bytes, File file);
  /// Whole pages of the host (VK_EXT_external_memory_host).
  MemoryObject(const Gpu& gpu, std::uint32_t type, std::uint64_t bytes, void* pages);

  ::vk::DeviceMemory handle() const { return *memory_; }
  std::uint32_t type() const { return type_; }
  std::uint64_t bytes() const { return bytes_; }
  std::byte* map() const;
  /// Throws as Memory::export_range().
  File export_file(const Gpu& gpu) const;

 private:
  void allocate(const Gpu& gpu, const void* extension);

  ExportPermit permit_;
  ::vk::raii::DeviceMemory memory_{nullptr};
  std::uint32_t type_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace aclvk::vk
