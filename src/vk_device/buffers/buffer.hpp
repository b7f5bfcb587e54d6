#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace aclvk::vk {

class Buffer;  // a VkBuffer with its memory, defined in vk_device/buffers/buffer_impl.hpp: layers above vk_device
               // include no Vulkan

/// A range of a VkBuffer. It keeps the VkBuffer alive, but not the allocation in it: Memory owns that.
struct BufferRange {
  std::shared_ptr<Buffer> buffer;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t allocation = 0;  ///< the number of the allocation in which Memory::find() found the range; 0: none

  /// Returns the device address of the first byte.
  std::uint64_t address() const;
  /// Returns the mapped address of the first byte, or null when the memory is not host-visible.
  std::byte* mapped() const;
  /// Returns the pointer that a program uses for the first byte: the mapped address of host memory, else the device
  /// address.
  std::uint64_t pointer() const;
  /// Returns the `bytes` bytes from `start` of this range.
  BufferRange slice(std::uint64_t start, std::uint64_t bytes) const {
    return {buffer, offset + start, bytes, allocation};
  }
};

/// Describes device memory to another process: the exported VkDeviceMemory, its VkBuffer, and the range in it. It has
/// plain numbers only, so that it can be sent as bytes.
struct SharedRange {
  std::uint64_t memory_bytes = 0;  ///< size of the VkDeviceMemory
  std::uint64_t buffer_bytes = 0;  ///< size of the VkBuffer
  std::uint64_t memory_type = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

/// The kind of an access to memory, by a command or by an operand of a kernel.
enum class Access : std::uint8_t { kRead, kWrite, kReadWrite };

}  // namespace aclvk::vk
